import { condition } from '@temporalio/workflow';
import { between } from '../../src/domain/ids.js';
import { writeBrief } from '../../src/domain/report.js';
import type { Taken } from '../../src/domain/ticket.js';
import { deskwork } from '../activity-options.js';
import type { Inbox } from './messages.js';
import { dropProposal } from './propose.js';
import { release } from './remediate.js';
import type { TicketRun, Wish } from './run.js';

/** Gives the ticket to a person: no proposal is left, no lease is held, and everybody is told who has it. */
export async function giveTo(run: TicketRun, { by, reason }: Wish): Promise<void> {
  if (run.ticket.firstActAt) await release(run);
  if (run.ticket.pending) dropProposal(run, { end: 'not-run', note: `taken over by ${by}` });
  // An abort that came meanwhile stays.
  if (run.wish?.kind === 'take') run.wish = null;
  const words = [`taken over by ${by}: ${reason}`, ...done(run)].join('; done so far: ');
  run.change({ taken: { by, reason, at: run.now() }, brief: writeBrief(run.ticket, words) });
  run.happen({ type: 'taken', by, reason });
  run.move('taken', words);
  await tell(run, 'taken', words);
}

const done = ({ ticket }: TicketRun): string[] =>
  ticket.applied.length > 0 ? [ticket.applied.map(({ describe }) => describe).join(', ')] : [];

/**
 * Watches while a person has it, as long as it takes: what is sighted and what clears is told, nothing else is done. It is
 * given back by a hint of the same person. It does not close by itself, as whoever works on it knows best when that is done.
 */
export async function whileTaken(run: TicketRun, inbox: Inbox, { by }: Taken): Promise<void> {
  const started = run.now();
  const isCalm = () => run.ticket.violations.length === 0;
  const over = () => inbox.hinted || run.wish !== null;
  let wasCalm = isCalm();
  while (!over()) {
    const woken = () => over() || isCalm() !== wasCalm;
    const woke = await condition(woken, run.times.remindMs, { summary: `${by} has it` });
    if (over()) break;
    if (!woke) run.happen({ type: 'reminded', waitingFor: by });
    if (!woke || isCalm()) await tell(run, 'reminder', stateOf(run, by));
    wasCalm = isCalm();
  }
  run.change({ waitedMs: run.ticket.waitedMs + between(started, run.now()) });
  if (run.wish) return;
  inbox.hinted = false;
  run.change({ taken: undefined, brief: null });
  run.move('hinted', `given back by ${by}: ${run.ticket.hints.at(-1)?.text ?? ''}`);
}

function stateOf({ ticket }: TicketRun, by: string): string {
  const { violations, id } = ticket;
  return violations.length > 0
    ? `${by} has it; still violated: ${violations.map(({ message }) => message).join('; ')}`
    : `${by} has it and nothing is violated any more: ./medic close ${id} --reason TEXT, or give it back with ./medic hint ${id} TEXT`;
}

const tell = (run: TicketRun, kind: 'taken' | 'reminder', text: string) =>
  deskwork.notify.executeWithOptions({ summary: `${kind}: ${text}` }, [
    { ticket: run.ticket.id, kind, text, severity: run.ticket.severity },
  ]);
