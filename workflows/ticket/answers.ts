import { ApplicationFailure, condition, patched } from '@temporalio/workflow';
import type { ErrorCode } from '../../src/domain/errors.js';
import type { Happening } from '../../src/domain/trail.js';
import type { Decision } from '../contract.js';
import type { TicketRun } from './run.js';

/** Why an answer is not looked at, or does not count. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The answer that is being looked at, and what those are told who wait for a reply. */
export interface Answers {
  decision: Decision | null;
  /** `false`: an older version took it, and such answers counted as they came. */
  isWeighed: boolean;
  readonly replies: Map<Decision, string | Refusal>;
  /** Answers without effect since the ticket asked. */
  ignored: number;
}

export const noAnswers = (): Answers => ({ decision: null, isWeighed: false, replies: new Map(), ignored: 0 });

/** An answer and what speaks against it now; asked again after each wait. */
interface Arrived {
  readonly decision: Decision;
  readonly whyStale: () => Refusal | null;
}

/**
 * An answer by update. It waits for its turn, and then until it is weighed, so that whoever gave it hears whether it
 * counts.
 *
 * @throws ApplicationFailure with a code of the error registry when it does not
 */
export function takeUpdate(run: TicketRun, answers: Answers, arrived: Arrived): string | Promise<string> {
  if (patched('answers-are-weighed')) return replyTo(run, answers, arrived);
  answers.decision = arrived.decision;
  answers.isWeighed = false;
  return accepted(run, arrived.decision);
}

/** An answer by signal: nobody hears a reply, so what does not count is told in the trail. Nothing is kept for later. */
export function takeSignal(run: TicketRun, answers: Answers, { decision, whyStale }: Arrived): void {
  const why = whyStale() ?? (answers.decision ? BUSY : null);
  if (why) return ignore(run, answers, { type: 'stale', message: 'decide', reason: why.message });
  answers.isWeighed = patched('answers-are-weighed');
  answers.decision = decision;
}

/** One answer after the other. */
export const BUSY: Refusal = { code: 'MEDIC_DECIDE_STALE', message: 'another answer is being weighed' };

async function replyTo(run: TicketRun, answers: Answers, { decision, whyStale }: Arrived): Promise<string> {
  const isOver = () => run.wish !== null || run.ticket.phase !== 'awaiting-approval';
  const isFree = () => answers.decision === null || isOver();
  // Several may wake at once, and the first of them takes the place.
  while (!isFree()) await condition(isFree);
  const why = whyStale();
  if (why) throw failureOf(why);
  answers.isWeighed = true;
  answers.decision = decision;
  await condition(() => answers.replies.has(decision) || answers.decision !== decision || isOver());
  const reply = answers.replies.get(decision) ?? wentOn(run);
  answers.replies.delete(decision);
  if (typeof reply !== 'string') throw failureOf(reply);
  return reply;
}

const wentOn = ({ ticket, wish }: TicketRun): Refusal => ({
  code: 'MEDIC_DECIDE_NOTHING_PENDING',
  message: `the ticket went on without it (${wish ? `${wish.kind} by ${wish.by}` : `phase ${ticket.phase}`})`,
});

/** Words for an answer that counts. */
export const accepted = ({ ticket }: TicketRun, { answer }: Decision): string =>
  `#${ticket.pending?.proposal.number} ${answer}: accepted`;

export const failureOf = ({ code, message }: Refusal): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message, nonRetryable: true });

/** More of them would push what matters out of the trail, which is bounded. */
const TOLD_IN_FULL = 10;

/** Records an answer without effect: the first ten, then only every power of ten, with its number. */
export function ignore(
  run: TicketRun,
  answers: Answers,
  happening: Extract<Happening, { type: 'stale' | 'unauthorised' }>,
): void {
  answers.ignored += 1;
  const { ignored } = answers;
  if (ignored <= TOLD_IN_FULL) run.happen(happening);
  else if (/^10+$/.test(String(ignored)))
    run.happen({ ...happening, reason: `${happening.reason} (number ${ignored} without effect)` });
}
