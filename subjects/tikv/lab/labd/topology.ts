import { join } from 'node:path';
import type { ProfileName } from '../../profiles.js';
import type { NodeRole } from './report.js';

/** Everything listens here; the lab never leaves the machine. */
export const LOOPBACK = '127.0.0.1';

/** A lab owns this many consecutive ports: labd's own, two per PD (client, peer), two per store (client, status). */
export const PORTS_PER_LAB = 32;

/** Sizes of a lab, fixed when it is made: the seed layout of the regions depends on them. */
export interface LabShape {
  /** Members of the PD group. */
  readonly pds: number;
  readonly stores: number;
  /** Regions that the seed layout writes. */
  readonly regions: number;
  /** MiB that each region is said to hold at least; PD moves what is larger than 20 MiB five times slower. */
  readonly regionMib: number;
}

/** The part of a shape that is about regions, where it is not to be the usual one. */
export type LabRegions = Partial<Pick<LabShape, 'regions' | 'regionMib'>>;

/** One node and where it lives. */
export interface NodePlan {
  readonly name: string;
  readonly role: NodeRole;
  readonly address: string;
  readonly dataDir: string;
  /** PD only. */
  readonly clientUrl?: string;
  /** PD only. */
  readonly peerUrl?: string;
  /** Store only. */
  readonly statusAddress?: string;
}

/** Where a reader of the cluster finds its parts. */
export interface LabTopology {
  readonly pd: readonly { readonly name: string; readonly clientUrl: string }[];
  readonly stores: readonly { readonly name: string; readonly address: string; readonly statusAddress: string }[];
  readonly profile: ProfileName;
  readonly dir: string;
  /** Name of the one host on which all nodes run. */
  readonly host: 'lab';
}

/** All nodes of a lab, PDs first: `pd-0..`, then `tikv-0..`. The same shape and base port give the same plan. */
export function planNodes({ dir, basePort, shape }: { dir: string; basePort: number; shape: LabShape }): NodePlan[] {
  const storePort = basePort + 1 + 2 * shape.pds;
  return [
    ...range(shape.pds).map((i) => planPd({ name: `pd-${i}`, dir, port: basePort + 1 + 2 * i })),
    ...range(shape.stores).map((i) => planStore({ name: `tikv-${i}`, dir, port: storePort + 2 * i })),
  ];
}

/** Most stores that fit into the ports of a lab with so many PDs. */
export function maxStores(pds: number): number {
  return Math.floor((PORTS_PER_LAB - 1) / 2) - pds;
}

/** The readers' view of a plan. */
export function topologyOf({
  dir,
  profile,
  nodes,
}: {
  dir: string;
  profile: ProfileName;
  nodes: readonly NodePlan[];
}): LabTopology {
  return {
    pd: nodes.flatMap(({ name, clientUrl }) => (clientUrl ? [{ name, clientUrl }] : [])),
    stores: nodes.flatMap(({ name, address, statusAddress }) =>
      statusAddress ? [{ name, address, statusAddress }] : [],
    ),
    profile,
    dir,
    host: 'lab',
  };
}

interface Place {
  readonly name: string;
  readonly dir: string;
  readonly port: number;
}

function planPd({ name, dir, port }: Place): NodePlan {
  return {
    name,
    role: 'pd',
    address: `${LOOPBACK}:${port}`,
    clientUrl: `http://${LOOPBACK}:${port}`,
    peerUrl: `http://${LOOPBACK}:${port + 1}`,
    dataDir: join(dir, 'data', name),
  };
}

function planStore({ name, dir, port }: Place): NodePlan {
  return {
    name,
    role: 'store',
    address: `${LOOPBACK}:${port}`,
    statusAddress: `${LOOPBACK}:${port + 1}`,
    dataDir: join(dir, 'data', name),
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
