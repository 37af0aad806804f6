import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { OpenPhase } from '../../src/domain/phases.js';
import { openTicket, resumeTicket } from '../../src/domain/ticket.js';
import { deskwork } from '../activity-options.js';
import type { TicketInput, TicketResult } from '../contract.js';
import { awaitAnswer } from './approve.js';
import { archivedMeanwhile } from './archive.js';
import { escalate } from './escalate.js';
import { finish } from './finish.js';
import { type Inbox, listen } from './messages.js';
import { judgeProposal } from './propose.js';
import { release, remediate } from './remediate.js';
import { awaitPerson, closedByItself } from './rest.js';
import { TicketRun } from './run.js';
import { giveTo, whileTaken } from './take.js';
import { turn } from './turn.js';
import { undo } from './undo.js';
import { verify } from './verify.js';

/** What happens in each open phase; every stage ends by moving the ticket or because a person wishes an end. */
const STAGES: Record<OpenPhase, (run: TicketRun, inbox: Inbox) => Promise<void>> = {
  filed: dispatch,
  investigating: investigate,
  proposing: judgeProposal,
  'awaiting-approval': awaitAnswer,
  remediating: remediate,
  verifying: verify,
  undoing: undo,
  escalated: handedOver,
};

/** Phases that `close` and `take` must not interrupt: a command may be running. */
const BUSY: readonly OpenPhase[] = ['remediating', 'undoing'];

/** One incident, from its filing to its end (DESIGN 4). */
export async function ticket(input: TicketInput): Promise<TicketResult> {
  const state = input.carried ? resumeTicket(input.carried.ticket) : openTicket(input.filing, input.admission);
  const run = new TicketRun(state, input.times);
  const inbox = listen(run);
  if (!input.carried) tellFiling(run, input);
  for (let phase = run.openPhase; phase; phase = run.openPhase) {
    if (run.wish && !BUSY.includes(phase)) await fulfil(run);
    else await carryOutStage(run, inbox, phase);
    if (workflowInfo().continueAsNewSuggested && run.openPhase === 'investigating') await carryOn(run, input);
  }
  const result = await CancellationScope.nonCancellable(() => finish(run));
  await condition(allHandlersFinished);
  return result;
}

function tellFiling(run: TicketRun, { filing }: TicketInput): void {
  run.happen({ type: 'filed', ticket: filing.id, violations: filing.violations, recurrenceOf: filing.recurrenceOf });
  run.show('filed');
}

/** Runs one stage so that an abort, or a cancellation of the workflow itself, stops what it is doing. */
async function carryOutStage(run: TicketRun, inbox: Inbox, phase: OpenPhase): Promise<void> {
  const scope = new CancellationScope();
  run.interrupt = () => scope.cancel();
  try {
    await scope.run(() => STAGES[phase](run, inbox));
  } catch (error) {
    await afterFailure(run, error);
  } finally {
    run.interrupt = () => {};
  }
}

/** A cancellation is an abort; an activity that failed for good is a person's; anything else is a bug and is thrown. */
async function afterFailure(run: TicketRun, error: unknown): Promise<void> {
  if (isCancellation(error)) {
    run.wish ??= { kind: 'abort', by: 'temporal', reason: 'the workflow was cancelled' };
    return CancellationScope.nonCancellable(() => fulfil(run));
  }
  if (!(error instanceof ActivityFailure) || run.openPhase === 'escalated') throw error;
  await escalate(run, `${error.activityType} failed for good: ${error.cause?.message ?? error.message}`);
}

/** Carries out an abort, a close or a take. After an abort nothing of ours may run on and no lease is kept. */
async function fulfil(run: TicketRun): Promise<void> {
  const wish = run.wish;
  if (!wish || !run.openPhase) return;
  if (wish.kind === 'take') return giveTo(run, wish);
  if (run.ticket.firstActAt) await release(run);
  run.move(wish.kind === 'abort' ? 'aborted' : 'closedByPerson', `${wish.kind} by ${wish.by}: ${wish.reason}`);
}

async function dispatch(run: TicketRun): Promise<void> {
  const { ticket: filed } = run;
  await deskwork.notify.executeWithOptions({ summary: 'filed' }, [
    { ticket: filed.id, kind: 'filed', text: filed.symptom, severity: filed.severity },
  ]);
  if (filed.flapping) return escalate(run, 'this target had too many tickets within the hour: somebody has to look');
  run.move('dispatched', filed.symptom);
}

async function investigate(run: TicketRun, inbox: Inbox): Promise<void> {
  inbox.hinted = false;
  if (await closedByItself(run, inbox)) return;
  if (!run.wish) await turn(run, inbox);
}

/** Of a person: to be taken, or taken. */
function handedOver(run: TicketRun, inbox: Inbox): Promise<void> {
  const { taken } = run.ticket;
  return archivedMeanwhile(run, () =>
    taken ? whileTaken(run, inbox, taken) : awaitPerson(run, inbox, () => remind(run)),
  );
}

async function remind(run: TicketRun): Promise<void> {
  run.happen({ type: 'reminded', waitingFor: 'a person' });
  await deskwork.notify.executeWithOptions({ summary: 'reminder' }, [
    {
      ticket: run.ticket.id,
      kind: 'reminder',
      text: run.ticket.brief ?? run.ticket.symptom,
      severity: run.ticket.severity,
    },
  ]);
}

/** At a turn boundary, with everything that is remembered. */
async function carryOn(run: TicketRun, input: TicketInput): Promise<void> {
  await condition(allHandlersFinished);
  await continueAsNew<typeof ticket>({ ...input, carried: { v: 1, ticket: run.ticket } });
}
