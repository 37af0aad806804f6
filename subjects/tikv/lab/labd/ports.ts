import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { MedicError } from '../../../../src/domain/errors.js';
import { LOOPBACK, PORTS_PER_LAB } from './topology.js';

/** Below Linux' ephemeral ports (32768 and up), so that no outgoing connection takes a port while a node is down. */
const FIRST_PORT = 21_000;
const BLOCKS = 360;

/** What to try, in order. */
export interface PortWish {
  readonly dir: string;
  /** Asked for by a person: this block or none. */
  readonly explicit?: number;
  /** The block that this lab had before. */
  readonly kept?: number;
}

/**
 * Bases of port blocks in the order in which they are tried: the block kept from an earlier run, then one that
 * follows from the folder's name (so two labs on a machine seldom meet), then the others.
 */
export function portCandidates({ dir, explicit, kept }: PortWish): number[] {
  if (explicit !== undefined) return [explicit];
  const first = createHash('sha256').update(dir).digest().readUInt32BE(0) % BLOCKS;
  const others = Array.from({ length: BLOCKS }, (_, i) => FIRST_PORT + ((first + i) % BLOCKS) * PORTS_PER_LAB);
  return kept === undefined ? others : [kept, ...others.filter((base) => base !== kept)];
}

/**
 * Binds `server` to the first port of the first block in which every port is free. Whoever holds the first port owns
 * the block, so two labds never take the same one.
 *
 * @returns the block's base
 * @throws MedicError `MEDIC_PORT_TAKEN` when none is free
 */
export async function claimPorts(server: Server, wish: PortWish): Promise<number> {
  for (const base of portCandidates(wish)) {
    if (!(await listens(server, base))) continue;
    if (await allFree(base)) return base;
    await new Promise((closed) => server.close(closed));
  }
  throw new MedicError('MEDIC_PORT_TAKEN', takenText(wish));
}

function takenText({ explicit }: PortWish): string {
  if (explicit === undefined) return `no ${PORTS_PER_LAB} free ports in a row from ${FIRST_PORT} up`;
  return `the ports ${explicit}-${explicit + PORTS_PER_LAB - 1} of --base-port ${explicit} are not all free`;
}

async function allFree(base: number): Promise<boolean> {
  for (let port = base + 1; port < base + PORTS_PER_LAB; port += 1) {
    const probe = createServer();
    if (!(await listens(probe, port))) return false;
    await new Promise((closed) => probe.close(closed));
  }
  return true;
}

function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(true);
    };
    server.once('error', failed).once('listening', listening).listen({ host: LOOPBACK, port });
  });
}
