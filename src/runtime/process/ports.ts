import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MedicError } from '../../domain/errors.js';
import { takeLock } from './lock-file.js';

const LOOPBACK = '127.0.0.1';
const TRIES = 500;

/** One port: where to begin the search, or the one that a person asked for. */
export interface PortWish {
  /** What it is for, as in the option and in messages: `--temporal-port`. */
  readonly option: string;
  /** Where the search begins when nothing was asked for. */
  readonly preferred: number;
  readonly asked?: number;
}

/** A port of ours until `release` or the end of this process. */
export interface ClaimedPort {
  readonly port: number;
  readonly release: () => void;
}

/**
 * A free loopback port: the one asked for, else the next free one from the preferred on. It is claimed by a file that other
 * Medics of this machine look at, because it stays unbound until the process that it is meant for starts, and is unbound again
 * whenever that process is restarted.
 *
 * @throws MedicError `MEDIC_PORT_TAKEN` if the port asked for is in use, or no port is free
 */
export async function claimPort(wish: PortWish, folder: string = claimsFolder()): Promise<ClaimedPort> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const port of candidates(wish)) {
    const claim = takeLock(join(folder, String(port)));
    if (!claim.taken) continue;
    if (await isFree(port)) return { port, release: claim.release };
    claim.release();
  }
  throw new MedicError('MEDIC_PORT_TAKEN', takenText(wish));
}

function candidates({ preferred, asked }: PortWish): number[] {
  return asked === undefined ? Array.from({ length: TRIES }, (_, step) => preferred + step) : [asked];
}

function takenText({ option, preferred, asked }: PortWish): string {
  if (asked === undefined) return `no port from ${preferred} to ${preferred + TRIES - 1} is free for ${option}`;
  return `port ${asked}, asked for by ${option}, is in use`;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: LOOPBACK, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

function claimsFolder(): string {
  return join(tmpdir(), `medic-ports-${process.getuid?.() ?? 'all'}`);
}
