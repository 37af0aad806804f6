import { subjectOf } from '../src/domain/ids.js';
import { createJournal, type JournalEntry, keyName } from '../src/host/journal.js';
import type { Judged } from '../subjects/protocol.js';
import type { LookActivities, Settled } from '../workflows/contract.js';
import { cancellation } from './cancellation.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { currentRun } from './run-id.js';

export interface SettleDeps {
  readonly rooms: Rooms;
  readonly journalDir: string;
}

/**
 * What became of an act whose outcome is unknown: the host's journal says whether and how the command ran, a fresh
 * picture whether its effect is there. Nothing is run again.
 */
export function createSettle({ rooms, journalDir }: SettleDeps): Pick<LookActivities, 'settle'> {
  return {
    async settle({ ticket, proposal, step, try: attempt, plan }): Promise<Settled> {
      const room = roomOf(rooms, subjectOf(ticket));
      const key = { run: currentRun(), proposal, step, try: attempt };
      const host = plan.call.kind === 'shell' ? room.hosts.get(plan.call.host) : undefined;
      const entry: JournalEntry = host
        ? await createJournal({ host, dir: journalDir }).read(key, cancellation())
        : { state: 'none' };
      const done = await effectOf(room, plan);
      return {
        journal: keyName(key),
        entry: entry.state === 'started' ? (entry.running ? 'running' : 'finished') : entry.state,
        exit: entry.state === 'finished' ? entry.outcome.exitCode : null,
        done: done.verdict,
        reason: `the journal says ${words(entry)}; ${done.reason}`,
      };
    },
  };
}

/** A call that is no catalogued action has no test of its effect. */
async function effectOf(room: Room, plan: { action: string | null; target: string }): Promise<Judged> {
  const action = room.subject.actions.find((a) => a.name === plan.action);
  if (!action) return { verdict: 'unknown', reason: 'a free call has no test of its effect' };
  return action.isDone(await room.eyes.observe('vitals', cancellation()), plan.target);
}

function words(entry: JournalEntry): string {
  switch (entry.state) {
    case 'none':
      return 'it never started';
    case 'started':
      return entry.running ? 'it is running' : 'it started and how it ended is not known';
    case 'finished':
      return `it ended with exit ${entry.outcome.exitCode}`;
  }
}
