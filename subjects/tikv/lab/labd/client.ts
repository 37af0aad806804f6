import { resolve } from 'node:path';
import { MedicError } from '../../../../src/domain/errors.js';
import { askLabd } from './ask.js';
import { readLabFile, readNodeOptions, writeNodeOptions } from './files.js';
import { createHealthWait, type HealthWait } from './health.js';
import type { LabIdentity, NodeReport, StartAnswer, StopAnswer, UnpauseAnswer } from './report.js';
import { type LabTopology, planNodes, topologyOf } from './topology.js';

/**
 * Code's way to a lab; the operator's is `labctl`, with the same verbs. Every method that asks labd throws MedicError
 * `MEDIC_LAB_NOT_RUNNING` when it does not answer and `MEDIC_LAB_UNKNOWN_NODE` for a wrong name.
 */
export interface Lab {
  readonly dir: string;
  identity(): Promise<LabIdentity>;
  ps(): Promise<NodeReport[]>;
  inspect(node: string): Promise<NodeReport>;
  /** A node that runs is left alone: `already-running`. */
  start(node: string): Promise<StartAnswer>;
  /** SIGTERM, SIGKILL after `graceMs` (10 s by default); the end counts as stopped by request. */
  stop(node: string, options?: { graceMs?: number }): Promise<StopAnswer>;
  /** Lets a process that was frozen by SIGSTOP go on. */
  unpause(node: string): Promise<UnpauseAnswer>;
  /** Lines, oldest first. */
  logs(node: string, query?: { tail?: number; since?: Date }): Promise<string[]>;
  /** A node's own configuration, as further options of its start line. Needs no labd. */
  options(node: string): readonly string[];
  /** Replaces it; it holds from the node's next start on. Needs no labd. */
  configure(node: string, options: readonly string[]): void;
  /** Needs no labd. */
  topology(): LabTopology;
  /** Waits, by PD's word, until the whole cluster is healthy. */
  waitHealthy: HealthWait;
}

const LONGEST_GRACE_MS = 10_000;

/**
 * Connects to the lab in a folder; its labd need not run yet.
 *
 * @throws MedicError `MEDIC_LAB_NOT_RUNNING` when no lab was ever made there
 */
export function connectLab(folder: string): Lab {
  const dir = resolve(folder);
  const topology = () => readTopology(dir);
  const get = (path: string) => askLabd({ dir, method: 'GET', path });
  const post = (path: string, timeoutMs: number) => askLabd({ dir, method: 'POST', path, timeoutMs });
  topology();
  return {
    dir,
    topology,
    options: (node) => readNodeOptions(dir, node),
    configure: (node, options) => writeNodeOptions(dir, node, options),
    waitHealthy: createHealthWait({ topology, regions: () => needLab(dir).shape.regions }),
    identity: async () => (await get('/v1/lab')) as LabIdentity,
    ps: async () => (await get('/v1/nodes')) as NodeReport[],
    inspect: async (node) => (await get(nodePath(node))) as NodeReport,
    start: async (node) => (await post(`${nodePath(node)}/start`, 4 * LONGEST_GRACE_MS)) as StartAnswer,
    stop: async (node, { graceMs = LONGEST_GRACE_MS } = {}) =>
      (await post(`${nodePath(node)}/stop?graceMs=${graceMs}`, graceMs + LONGEST_GRACE_MS)) as StopAnswer,
    unpause: async (node) => (await post(`${nodePath(node)}/unpause`, LONGEST_GRACE_MS)) as UnpauseAnswer,
    logs: async (node, query = {}) => (await get(`${nodePath(node)}/logs?${logSearch(query)}`)) as string[],
  };
}

/** Path of a node in labd's API. */
export function nodePath(node: string): string {
  return `/v1/nodes/${encodeURIComponent(node)}`;
}

/** Query string of a log request. */
export function logSearch({ tail, since }: { tail?: number; since?: Date }): string {
  const search = new URLSearchParams();
  if (tail !== undefined) search.set('tail', String(tail));
  if (since !== undefined) search.set('since', since.toISOString());
  return search.toString();
}

function readTopology(dir: string): LabTopology {
  const { basePort, shape, profile } = needLab(dir);
  return topologyOf({ dir, profile, nodes: planNodes({ dir, basePort, shape }) });
}

function needLab(dir: string) {
  const lab = readLabFile(dir);
  if (lab !== undefined) return lab;
  throw new MedicError('MEDIC_LAB_NOT_RUNNING', `no lab was made in ${dir}`);
}
