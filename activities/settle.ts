import { subjectOf } from '../src/domain/ids.js';
import type { HttpEntry, HttpJournal } from '../src/host/http-journal.js';
import { createJournal, type JournalEntry, type JournalKey, keyName } from '../src/host/journal.js';
import type { Judged } from '../subjects/protocol.js';
import type { LookActivities, Settled } from '../workflows/activity-contract.js';
import { cancellation } from './cancellation.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { currentRun } from './run-id.js';

export interface SettleDeps {
  readonly rooms: Rooms;
  readonly journalDir: string;
  readonly httpJournal: HttpJournal;
}

/**
 * What became of an act whose outcome is unknown: the journal says whether and how the command ran or the call was sent,
 * a fresh picture whether its effect is there. Nothing is run or sent again.
 */
export function createSettle(deps: SettleDeps): Pick<LookActivities, 'settle'> {
  return {
    async settle({ ticket, proposal, step, try: attempt, plan }): Promise<Settled> {
      const room = roomOf(deps.rooms, subjectOf(ticket));
      const key = { run: currentRun(), proposal, step, try: attempt };
      const found = await (plan.call.kind === 'shell'
        ? onHost({ deps, room, key, host: plan.call.host })
        : ofCall(await deps.httpJournal.read(key)));
      const done = await effectOf(room, plan);
      const { says, ...entry } = found;
      return {
        journal: keyName(key),
        ...entry,
        done: done.verdict,
        reason: `the journal says ${says}; ${done.reason}`,
      };
    },
  };
}

interface Found extends Pick<Settled, 'entry' | 'exit'> {
  readonly says: string;
}

interface OnHost {
  readonly deps: SettleDeps;
  readonly room: Room;
  readonly key: JournalKey;
  readonly host: string;
}

async function onHost({ deps, room, key, host: name }: OnHost): Promise<Found> {
  const host = room.hosts.get(name);
  const entry: JournalEntry = host
    ? await createJournal({ host, dir: deps.journalDir }).read(key, cancellation())
    : { state: 'none' };
  return {
    entry: entry.state === 'started' ? (entry.running ? 'running' : 'finished') : entry.state,
    exit: entry.state === 'finished' ? entry.outcome.exitCode : null,
    says: words(entry),
  };
}

/** Whoever sent it is gone, so one without an end is not under way any more; whether it arrived only its effect tells. */
function ofCall(entry: HttpEntry): Found {
  if (entry.state === 'none') return { entry: 'none', exit: null, says: 'it was never sent' };
  if (entry.state === 'started') return { entry: 'finished', exit: null, says: 'it was sent and no end is recorded' };
  const { status, failure } = entry.reply;
  return { entry: 'finished', exit: null, says: `it ended with ${status === null ? failure : `HTTP ${status}`}` };
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
