import { patched } from '@temporalio/workflow';
import { updateBoard } from '../../src/domain/board.js';
import type { Digest, OtherTicket } from '../../src/domain/digest.js';
import { between } from '../../src/domain/ids.js';
import { limitsLeft, turnLimit } from '../../src/domain/limits.js';
import type { NextStep, Thought } from '../../src/domain/next-step.js';
import { noteWorld, whyStuck } from '../../src/domain/progress.js';
import type { PictureSeen } from '../activity-contract.js';
import { deskwork, looking, thinking } from '../activity-options.js';
import { conclude } from './conclude.js';
import { escalate } from './escalate.js';
import { lookAt } from './look.js';
import type { Inbox } from './messages.js';
import { orFailure } from './or-failure.js';
import { draftProposal } from './propose.js';
import type { TicketRun } from './run.js';
import type { Seen } from './seen.js';

/**
 * One pass of look, think, carry out. It opens with a cheap activity and then looks at the picture afresh, always: so
 * a reset or a replay never acts on old facts, and the reset point keeps the previous decision.
 */
export async function turn(run: TicketRun, inbox: Inbox): Promise<void> {
  spendWallTime(run);
  const end = turnLimit(run.ticket.limits, run.ticket.spent) ?? whyStuck(run.ticket.progress);
  if (end) return escalate(run, end);
  const number = run.ticket.turn + 1;
  run.change({ turn: number, spent: { ...run.ticket.spent, turns: run.ticket.spent.turns + 1 } });
  const { run: seenBy, others = NO_OTHERS } = await deskwork.openTurn.executeWithOptions(
    { summary: `turn ${number}: open` },
    [{ ticket: run.ticket.id, turn: number }],
  );
  run.happen({ type: 'turn', turn: number, run: seenBy });
  const picture = await lookAtPicture(run, { number, openedBy: seenBy });
  if (typeof picture === 'string') return escalate(run, `the picture of the subject could not be taken: ${picture}`);
  const seen: Seen = { picture, others };
  // What the reasoner is about to read must not withdraw what it then proposes.
  if (patched('hint-read-by-the-turn')) inbox.hinted = false;
  const thought = await think(run, number, seen);
  if (typeof thought === 'string') return escalate(run, `thinking failed: ${thought}`);
  takeThought(run, thought);
  await carryOut(run, thought.nextStep, seen);
}

/** Of a turn that an older version opened. */
const NO_OTHERS: readonly OtherTicket[] = [];

function spendWallTime(run: TicketRun): void {
  const wallMs = between(run.ticket.openedAt, run.now()) - run.ticket.waitedMs;
  run.change({ spent: { ...run.ticket.spent, wallMs } });
}

/** A reset keeps the opening of the turn and looks again in a new run; only recorded results may tell that. */
async function lookAtPicture(
  run: TicketRun,
  { number, openedBy }: { number: number; openedBy: string },
): Promise<PictureSeen | string> {
  const id = run.allot();
  const seen = await orFailure(
    looking.lookAtPicture.executeWithOptions({ summary: `turn ${number}: look at the picture (${id})` }, [
      { ticket: run.ticket.id, id },
    ]),
  );
  if (typeof seen === 'string') return seen;
  if (seen.run !== undefined && seen.run !== openedBy) run.happen({ type: 'reset', turn: number, run: seen.run });
  run.change({ evidence: [...run.ticket.evidence, seen.evidence] });
  run.happen({ type: 'picture', evidence: id, lines: seen.lines });
  const { broken, unknown } = seen;
  run.account(noteWorld(run.ticket.progress, { broken: broken.map((v) => v.fingerprint), unknown }));
  // A picture that an older version took recognises nothing.
  return { ...seen, expected: seen.expected ?? [] };
}

async function think(run: TicketRun, number: number, seen: Seen): Promise<Thought | string> {
  return orFailure(
    thinking.think.executeWithOptions({ summary: `turn ${number}: think` }, [
      { digest: digestOf(run, seen), pictureSha: seen.picture.evidence.sha256 },
    ]),
  );
}

function digestOf(run: TicketRun, { picture, others }: Seen): Digest {
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
    expected: picture.expected,
    others,
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
  const { board, refused } = updateBoard(ticket.board, thought.hypotheses, { turn: ticket.turn, known });
  run.change({
    transcript: thought.transcript ?? ticket.transcript,
    board,
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
  if (refused.length > 0) run.sendBack('hypothesis', ...refused);
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

async function carryOut(run: TicketRun, step: NextStep, seen: Seen): Promise<void> {
  switch (step.kind) {
    case 'look':
      return lookAt(run, step.calls, step.why);
    case 'propose':
      return draftProposal(run, step.proposal);
    case 'ask':
      return escalate(run, `a question for a person: ${step.question}`);
    case 'conclude':
      return conclude(run, step, seen);
    case 'escalate':
      return escalate(run, step.why);
  }
}
