import { ActivityFailure, condition, isCancellation } from '@temporalio/workflow';
import { updateBoard } from '../../src/domain/board.js';
import type { Digest } from '../../src/domain/digest.js';
import type { Evidence } from '../../src/domain/evidence.js';
import { between } from '../../src/domain/ids.js';
import { limitsLeft, turnLimit } from '../../src/domain/limits.js';
import { MAX_CALLS_PER_LOOK, type NextStep, type Thought } from '../../src/domain/next-step.js';
import type { Call } from '../../src/domain/query.js';
import { callBytes, describeCall } from '../../src/domain/query.js';
import { deskwork, looking, thinking } from '../activity-options.js';
import type { PictureSeen } from '../contract.js';
import { escalate } from './escalate.js';
import { draftProposal } from './propose.js';
import type { TicketRun } from './run.js';

/**
 * One pass of look, think, carry out. It opens with a cheap activity and then looks at the picture afresh, always: so
 * a reset or a replay never acts on old facts, and the reset point keeps the previous decision.
 */
export async function turn(run: TicketRun): Promise<void> {
  spendWallTime(run);
  const limit = turnLimit(run.ticket.limits, run.ticket.spent);
  if (limit) return escalate(run, limit);
  const number = run.ticket.turn + 1;
  run.change({ turn: number, spent: { ...run.ticket.spent, turns: run.ticket.spent.turns + 1 } });
  const { run: seenBy } = await deskwork.openTurn.executeWithOptions({ summary: `turn ${number}: open` }, [
    { ticket: run.ticket.id, turn: number },
  ]);
  run.happen({ type: 'turn', turn: number, run: seenBy });
  const picture = await lookAtPicture(run, number);
  if (!picture) return escalate(run, 'the picture of the subject could not be taken');
  const thought = await think(run, number, picture);
  if (typeof thought === 'string') return escalate(run, `thinking failed: ${thought}`);
  takeThought(run, thought);
  await carryOut(run, thought.nextStep, picture);
}

function spendWallTime(run: TicketRun): void {
  const wallMs = between(run.ticket.openedAt, run.now()) - run.ticket.waitedMs;
  run.change({ spent: { ...run.ticket.spent, wallMs } });
}

async function lookAtPicture(run: TicketRun, number: number): Promise<PictureSeen | null> {
  const id = run.allot();
  const seen = await orFailure(
    looking.lookAtPicture.executeWithOptions({ summary: `turn ${number}: look at the picture (${id})` }, [
      { ticket: run.ticket.id, id },
    ]),
  );
  if (typeof seen === 'string') return null;
  run.change({ evidence: [...run.ticket.evidence, seen.evidence] });
  run.happen({ type: 'picture', evidence: id, lines: seen.lines });
  return seen;
}

async function think(run: TicketRun, number: number, picture: PictureSeen): Promise<Thought | string> {
  return orFailure(
    thinking.think.executeWithOptions({ summary: `turn ${number}: think` }, [
      { digest: digestOf(run, picture), pictureSha: picture.evidence.sha256 },
    ]),
  );
}

function digestOf(run: TicketRun, picture: PictureSeen): Digest {
  const { ticket } = run;
  const seen = new Map([...ticket.violations, ...picture.broken].map((v) => [v.fingerprint, v]));
  return {
    ticket: ticket.id,
    subject: ticket.subject,
    environment: ticket.environment,
    turn: ticket.turn,
    at: run.now(),
    violations: [...seen.values()],
    cleared: ticket.cleared,
    picture: { evidence: picture.evidence.id, lines: picture.lines },
    board: ticket.board,
    evidence: ticket.evidence,
    proposals: ticket.proposals,
    refusals: ticket.refusals,
    hints: ticket.hints,
    left: limitsLeft(ticket.limits, ticket.spent),
    agent: ticket.agent,
    transcript: ticket.transcript,
  };
}

function takeThought(run: TicketRun, thought: Thought): void {
  const { ticket } = run;
  const known = new Set(ticket.evidence.map((e) => e.id));
  const { usage } = thought;
  run.change({
    transcript: thought.transcript ?? ticket.transcript,
    board: updateBoard(ticket.board, thought.hypotheses, { turn: ticket.turn, known }),
    spent: {
      ...ticket.spent,
      tokens: ticket.spent.tokens + usage.inputTokens + usage.outputTokens,
      usd: ticket.spent.usd + usage.usd,
    },
  });
  run.happen({
    type: 'thought',
    reasoner: thought.reasoner,
    model: thought.model,
    board: run.ticket.board,
    next: describeNext(thought.nextStep),
    usd: usage.usd,
    ...(thought.notes && thought.notes.length > 0 ? { notes: thought.notes } : {}),
    ...(thought.promptVersion ? { prompt: thought.promptVersion } : {}),
  });
  run.show(describeNext(thought.nextStep));
}

function describeNext(step: NextStep): string {
  switch (step.kind) {
    case 'look':
      return `look at ${step.calls.length}: ${step.why}`;
    case 'propose':
      return `propose: ${step.proposal.title}`;
    case 'ask':
      return `ask a person: ${step.question}`;
    case 'conclude':
      return `conclude ${step.conclusion}: ${step.why}`;
    case 'escalate':
      return `hand over: ${step.why}`;
  }
}

async function carryOut(run: TicketRun, step: NextStep, picture: PictureSeen): Promise<void> {
  switch (step.kind) {
    case 'look':
      return lookAt(run, step.calls, step.why);
    case 'propose':
      return draftProposal(run, step.proposal);
    case 'ask':
      return escalate(run, `a question for a person: ${step.question}`);
    case 'conclude':
      return conclude(run, step, picture);
    case 'escalate':
      return escalate(run, step.why);
  }
}

/** Up to eight looks in parallel; what is over the limit of the ticket is told back. */
async function lookAt(run: TicketRun, calls: readonly Call[], why: string): Promise<void> {
  const left = limitsLeft(run.ticket.limits, run.ticket.spent).looks;
  const asked = calls.slice(0, Math.min(MAX_CALLS_PER_LOOK, left));
  if (asked.length < calls.length) run.refuse(`${calls.length - asked.length} looks were over the limit`);
  if (asked.length === 0) return run.refuse('a look names no call');
  if (sameAsBefore(run, asked))
    await condition(() => run.wish !== null, run.times.proof.sampleMs, {
      summary: 'the same looks again: giving it time',
    });
  const found = await Promise.all(asked.map((call) => lookOnce(run, call)));
  const evidence = found.filter((e): e is Evidence => e !== null);
  const { ticket } = run;
  run.change({
    evidence: [...ticket.evidence, ...evidence],
    spent: { ...ticket.spent, looks: ticket.spent.looks + asked.length },
  });
  run.happen({ type: 'looked', why, evidence: evidence.map(withoutExcerpt) });
}

/** The trail holds one line for each; head and tail stand in the ticket's list of evidence, the body in the store. */
const withoutExcerpt = (evidence: Evidence): Evidence => ({ ...evidence, head: '', tail: '' });

/** The very calls of the last look: only time can change the answer, and turns are few. */
function sameAsBefore(run: TicketRun, calls: readonly Call[]): boolean {
  const last = run.ticket.trail.events.findLast((event) => event.type === 'looked');
  if (last?.type !== 'looked') return false;
  const before = new Set(last.evidence.flatMap(({ call }) => (call ? [callBytes(call)] : [])));
  return calls.every((call) => before.has(callBytes(call)));
}

async function lookOnce(run: TicketRun, call: Call): Promise<Evidence | null> {
  const id = run.allot();
  const found = await orFailure(
    looking.look.executeWithOptions({ summary: `${id}: ${describeCall(call)}` }, [{ ticket: run.ticket.id, id, call }]),
  );
  if (typeof found !== 'string') return found;
  run.refuse(`${describeCall(call)} could not be asked: ${found}`);
  return null;
}

/** A conclusion ends the ticket only while nothing was done; after an act only a proof does. */
function conclude(run: TicketRun, step: Extract<NextStep, { kind: 'conclude' }>, picture: PictureSeen): void {
  const known = new Set(run.ticket.evidence.map((e) => e.id));
  const cited = step.evidence.filter((id) => known.has(id));
  if (cited.length === 0) return run.refuse('a conclusion must cite evidence of this ticket');
  if (run.ticket.firstActAt) return run.refuse('an act was started: only a proof can end this ticket');
  if (step.conclusion === 'transient' && picture.broken.length > 0)
    return run.refuse(`not transient: ${picture.broken.map((v) => v.message).join('; ')}`);
  run.happen({ type: 'concluded', conclusion: step.conclusion, why: step.why, evidence: cited });
  run.move(step.conclusion === 'duplicate' ? 'duplicated' : 'noFault', `${step.conclusion}: ${step.why}`);
}

/** The result, or the words of why an activity failed for good. Cancellation passes through. */
async function orFailure<T>(promise: Promise<T>): Promise<T | string> {
  try {
    return await promise;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return error.cause?.message ?? error.message;
  }
}
