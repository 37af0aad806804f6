import type { TicketId } from '../../src/domain/ids.js';
import type { Phase } from '../../src/domain/phases.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { childrenOf, freeze } from './freeze.js';
import type { OneMedic } from './one-medic.js';

/** What of Medic stands still, and from which moment of a ticket on. */
export interface Outage {
  readonly name: 'temporal' | 'worker' | 'sleep';
  readonly store: string;
  /** What is stopped: process groups of the instance. */
  readonly stops: (medic: OneMedic) => number[];
  readonly from: TrailEvent['type'];
  /** Share of the asked minutes. */
  readonly share: number;
}

const pidOf = ({ running }: OneMedic, name: string): number => {
  const pid = running.processes()[name];
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
};

export const OUTAGES: readonly Outage[] = [
  { name: 'temporal', store: 'tikv-0', stops: (medic) => [pidOf(medic, 'temporal')], from: 'thought', share: 1 },
  { name: 'worker', store: 'tikv-1', stops: (medic) => [pidOf(medic, 'worker')], from: 'sampled', share: 1 },
  // Everything that this process started: server, worker, labd and all its nodes.
  { name: 'sleep', store: 'tikv-2', stops: () => childrenOf(process.pid), from: 'sampled', share: 0.4 },
];

/** What became of one ticket through one outage. */
export interface OutageResult {
  readonly outage: Outage['name'];
  readonly stoppedFrom: string;
  readonly stoppedSeconds: number;
  readonly ticket: TicketId;
  readonly end: Phase;
  readonly proof: string;
  /** By labd's count. */
  readonly starts: number;
  /** New entries of the host's journal. */
  readonly journal: number;
  /** Without a gap, from `filed` to `closed`. */
  readonly trailWhole: boolean;
  readonly trailEvents: number;
  readonly endedSecondsAfter: number;
  readonly holds: boolean;
}

export async function throughOutage(
  medic: OneMedic,
  outage: Outage,
  { minutes, known }: { readonly minutes: number; readonly known: readonly TicketId[] },
): Promise<OutageResult> {
  await medic.quiet();
  const before = { starts: await medic.startsOf(outage.store), journal: medic.journal() };
  await medic.kill(outage.store);
  const ticket = await medic.nextTicket(known);
  await medic.event(ticket, ({ type }) => type === outage.from);
  const thaw = freeze(outage.stops(medic));
  const began = Date.now();
  try {
    await new Promise((later) => setTimeout(later, minutes * outage.share * 60_000));
  } finally {
    thaw();
  }
  const over = Date.now();
  const end = await medic.end(ticket);
  const ended = Date.now();
  const archived = await medic.book.archived(ticket);
  const trail = archived?.trail ?? [];
  const seen = {
    end,
    proof: archived?.ticket.proof?.result ?? 'none',
    starts: (await medic.startsOf(outage.store)) - before.starts,
    journal: medic.journal().filter((entry) => !before.journal.includes(entry)).length,
    trailWhole: isWhole(trail),
  };
  return {
    ...{ outage: outage.name, stoppedFrom: outage.from, stoppedSeconds: seconds(over - began), ticket, ...seen },
    ...{ trailEvents: trail.length, endedSecondsAfter: seconds(ended - over) },
    holds:
      seen.end === 'resolved' && seen.proof === 'healthy' && seen.starts === 1 && seen.journal === 1 && seen.trailWhole,
  };
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

function isWhole(trail: readonly TrailEvent[]): boolean {
  const inOrder = trail.every(({ seq }, i) => seq === (trail[0]?.seq ?? 0) + i);
  return inOrder && trail[0]?.type === 'filed' && trail.some(({ type }) => type === 'closed');
}
