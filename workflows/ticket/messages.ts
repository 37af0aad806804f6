import { condition, defineQuery, defineSignal, defineUpdate, patched, setHandler } from '@temporalio/workflow';
import { type Amended, type Amendment, faultOfAmendment } from '../../src/domain/amendment.js';
import type { Hypothesis } from '../../src/domain/hypothesis.js';
import { noteNews } from '../../src/domain/progress.js';
import type { Ticket } from '../../src/domain/ticket.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import {
  type Decision,
  type Ending,
  type Hint,
  MESSAGES,
  QUERIES,
  type Sighting,
  type TicketStatus,
} from '../contract.js';
import { type Answers, BUSY, failureOf, noAnswers, type Refusal, takeSignal, takeUpdate } from './answers.js';
import type { TicketRun, Wish } from './run.js';
import { ticketStatus } from './status.js';

const decideUpdate = defineUpdate<string, [Decision]>(MESSAGES.decide);
const decideSignal = defineSignal<[Decision]>(MESSAGES.decide);
const amendUpdate = defineUpdate<Amended, [Amendment]>(MESSAGES.amend);
const takeOverSignal = defineSignal<[Ending]>(MESSAGES.take);
const hintSignal = defineSignal<[Hint]>(MESSAGES.hint);
const abortSignal = defineSignal<[Ending]>(MESSAGES.abort);
const closeSignal = defineSignal<[Ending]>(MESSAGES.close);
const sightingSignal = defineSignal<[Sighting]>(MESSAGES.sighting);
const statusQuery = defineQuery<TicketStatus>(QUERIES.status);
const boardQuery = defineQuery<readonly Hypothesis[]>(QUERIES.board);
const ticketQuery = defineQuery<Ticket>(QUERIES.ticket);
const trailQuery = defineQuery<readonly TrailEvent[], [number?]>(QUERIES.trail);

/** Answers to proposals as they arrive; the main loop takes them from here. */
export interface Inbox extends Answers {
  /** Other steps for the pending proposal; `answer` is what the kernel said of them. */
  amendment: { readonly asked: Amendment; answer: Amended | null } | null;
  hinted: boolean;
}

/**
 * Handlers only change state; the main loop acts. They are set before the first await, because messages that arrived
 * early run at once.
 */
export function listen(run: TicketRun): Inbox {
  const inbox: Inbox = { ...noAnswers(), amendment: null, hinted: false };

  const arrived = (decision: Decision) => ({ decision, whyStale: () => whyStale(run, inbox, decision) });
  setHandler(decideUpdate, (decision) => takeUpdate(run, inbox, arrived(decision)), {
    validator: (decision) => refuseUnlessPending(run, inbox, decision),
    description: 'Answer the pending proposal.',
  });
  setHandler(decideSignal, (decision) => takeSignal(run, inbox, arrived(decision)), {
    description: 'The same for tools that can only signal; stale unless it names the pending proposal.',
  });
  setHandler(amendUpdate, (asked) => takeAmendment(run, inbox, asked), {
    validator: (asked) => refuseUnlessAmendable(run, inbox, asked),
    description: 'Answer the pending proposal with other steps; they are judged from scratch.',
  });
  setHandler(hintSignal, (hint) => takeHint(run, inbox, hint), { description: 'Tell the reasoner something.' });
  setHandler(abortSignal, (ending) => takeAbort(run, ending), {
    description: 'Stop; a running step is let to end unless kill is set.',
  });
  setHandler(closeSignal, (ending) => takeWish(run, { kind: 'close', ...ending }), { description: 'End at rest.' });
  setHandler(takeOverSignal, (ending) => takeOver(run, inbox, ending), {
    description: 'A person takes it over; a hint of the same person gives it back.',
  });
  setHandler(sightingSignal, (sighting) => takeSighting(run, sighting));
  setHandler(statusQuery, () => ticketStatus(run), { description: 'Phase, belief, what is awaited.' });
  setHandler(boardQuery, () => run.ticket.board, { description: 'All hypotheses with their evidence.' });
  setHandler(ticketQuery, () => run.ticket, { description: 'All that it remembers, for an export.' });
  setHandler(trailQuery, (after = 0) => run.ticket.trail.events.filter((event) => event.seq > after), {
    description: 'Everything that happened; argument: only events after this number.',
  });
  return inbox;
}

/** Synchronous and free of authority: only what is pending and the shape (DESIGN 5). */
function refuseUnlessPending(run: TicketRun, inbox: Inbox, decision: Decision): void {
  const reason = whyStale(run, inbox, decision);
  if (reason) throw failureOf(reason);
}

function whyStale(run: TicketRun, inbox: Inbox, decision: Decision): Refusal | null {
  if (!isDecision(decision)) return { code: 'MEDIC_DECIDE_SHAPE', message: SHAPE };
  if (inbox.amendment) return { code: 'MEDIC_DECIDE_STALE', message: 'an amendment is being judged' };
  return whyNotPending(run, decision);
}

/** Does an answer name what waits for one? */
function whyNotPending(run: TicketRun, decision: Pick<Decision, 'proposal' | 'basisHash'>): Refusal | null {
  const { pending, phase } = run.ticket;
  if (!pending || phase !== 'awaiting-approval' || run.wish)
    return { code: 'MEDIC_DECIDE_NOTHING_PENDING', message: `nothing waits for an answer (phase ${phase})` };
  if (decision.proposal !== pending.proposal.id)
    return {
      code: 'MEDIC_DECIDE_STALE',
      message: `stale proposal ${decision.proposal}, now at ${pending.proposal.id}`,
    };
  if (decision.basisHash !== pending.basisHash)
    return { code: 'MEDIC_DECIDE_STALE', message: `stale basis ${decision.basisHash}, now at ${pending.basisHash}` };
  return null;
}

const SHAPE = 'need {proposal, answer: approve|deny, by, note, basisHash}, and expiresAt and signature if it is signed';

const isDecision = (d: Decision | undefined | null): boolean =>
  typeof d === 'object' &&
  d !== null &&
  [d.proposal, d.by, d.note, d.basisHash].every((part) => typeof part === 'string') &&
  [d.expiresAt, d.signature].every((part) => part === undefined || typeof part === 'string') &&
  (d.answer === 'approve' || d.answer === 'deny');

function refuseUnlessAmendable(run: TicketRun, inbox: Inbox, asked: Amendment): void {
  const busy = inbox.decision ?? inbox.amendment;
  const fault = faultOfAmendment(asked) ?? (busy ? BUSY : whyNotPending(run, asked));
  if (fault) throw failureOf(fault);
}

/** Ends when the main loop has had it judged, so that the person hears at once whether it stands. */
async function takeAmendment(run: TicketRun, inbox: Inbox, asked: Amendment): Promise<Amended> {
  const mine: NonNullable<Inbox['amendment']> = { asked, answer: null };
  inbox.amendment = mine;
  const isUnderWay = () => run.ticket.phase === 'awaiting-approval' || run.ticket.phase === 'proposing';
  await condition(() => mine.answer !== null || !isUnderWay());
  return mine.answer ?? { kind: 'overtaken', phase: run.ticket.phase };
}

/** Five hints a minute from one sender are read; more are dropped, so that a loop cannot fill the history. */
const HINTS_PER_MINUTE = 5;

function takeHint(run: TicketRun, inbox: Inbox, hint: Hint): void {
  const at = run.now();
  const minuteAgo = Date.parse(at) - 60_000;
  const recent = run.ticket.hints.filter((h) => h.by === hint.by && Date.parse(h.at) > minuteAgo);
  if (recent.length >= HINTS_PER_MINUTE) return;
  const { hints, progress } = run.ticket;
  run.change({ hints: [...hints, { by: hint.by, text: hint.text, at }].slice(-20), progress: noteNews(progress) });
  run.happen({ type: 'hint', by: hint.by, text: hint.text });
  // Of a taken ticket only a hint of the person who has it is more than a note: it gives the ticket back.
  const owner = run.wish?.kind === 'take' ? run.wish : run.ticket.taken;
  if (!owner || owner.by === hint.by) inbox.hinted = true;
}

/** Versions that knew no `kill` ended a running command on every abort. */
function takeAbort(run: TicketRun, ending: Ending): void {
  const kills = ending.kill === true || !patched('abort-lets-a-step-end');
  takeWish(run, { ...ending, kind: 'abort', kill: kills, ...(kills ? {} : { stopsPlan: true }) });
}

/** A hint from before it is no giving back. */
function takeOver(run: TicketRun, inbox: Inbox, { by, reason }: Ending): void {
  inbox.hinted = false;
  takeWish(run, { kind: 'take', stopsPlan: true, by, reason });
}

/** What stops more replaces what stops less; a command that runs is interrupted only by an abort that says so. */
function takeWish(run: TicketRun, wish: Wish): void {
  if (run.wish && rank(run.wish) >= rank(wish)) return;
  run.wish = wish;
  if (wish.kind === 'close') return;
  const mayRun = run.isActing || (wish.kind === 'take' && run.ticket.phase === 'undoing');
  if (wish.kill || !mayRun) run.interrupt();
}

const rank = ({ kind, kill }: Wish): number => ['take', 'close', 'abort'].indexOf(kind) + (kill ? 1 : 0);

function takeSighting(run: TicketRun, { at, added, cleared }: Sighting): void {
  const gone = new Set(cleared.map((v) => v.fingerprint));
  const kept = run.ticket.violations.filter((v) => !gone.has(v.fingerprint));
  const known = new Set(kept.map((v) => v.fingerprint));
  run.change({
    violations: [...kept, ...added.filter((v) => !known.has(v.fingerprint))],
    cleared: [...run.ticket.cleared, ...cleared.map((violation) => ({ violation, at }))].slice(-50),
  });
  if (added.length > 0) run.happen({ type: 'sighted', violations: added });
  if (cleared.length > 0) run.happen({ type: 'cleared', violations: cleared });
}
