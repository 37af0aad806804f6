import { ActivityFailure, CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import type { Lease } from '../../src/domain/desk.js';
import { between } from '../../src/domain/ids.js';
import type { Step } from '../../src/domain/proposal.js';
import { describeCall } from '../../src/domain/query.js';
import type { Pending } from '../../src/domain/ticket.js';
import type { ActOutcome, Settled, StepRef } from '../activity-contract.js';
import { acting, deskwork, looking } from '../activity-options.js';
import { escalate } from './escalate.js';
import { dropProposal } from './propose.js';
import type { TicketRun, Wish } from './run.js';

/** A plan whose facts keep changing under it is a person's. */
const MAX_REJUDGED = 5;

/** What became of one step. */
type StepEnd =
  | { readonly kind: 'applied' }
  | { readonly kind: 'not-run'; readonly reason: string }
  | { readonly kind: 'changed'; readonly reason: string; readonly changes: readonly string[] }
  | { readonly kind: 'shut'; readonly reason: string };

/**
 * Runs the permitted plan step by step: gate, then act, once. An outcome that is not known for certain is never
 * repeated: the host's journal and the step's effect are looked at instead.
 */
export async function remediate(run: TicketRun): Promise<void> {
  const { pending } = run.ticket;
  if (!pending) return run.move('notRun', 'nothing is pending');
  if (run.ticket.spent.acts + pending.proposal.steps.length > run.ticket.limits.acts) {
    dropProposal(run, { end: 'not-run', note: 'over the limit of acts' });
    return escalate(run, `the limit of ${run.ticket.limits.acts} acts is reached`);
  }
  for (const [index, step] of pending.proposal.steps.entries()) {
    if (run.wish?.stopsPlan) return stopPlan(run, stoppedBy(run.wish, index + 1, pending.proposal.steps.length));
    const end = await runStep(run, pending, { index, step });
    if (end.kind === 'applied') run.change({ applied: [...run.ticket.applied, step] });
    else return stopPlan(run, end);
  }
  await release(run);
  dropProposal(run, { end: 'ran', note: '' });
  run.move('acted', `${pending.proposal.steps.length} of ${pending.proposal.steps.length} steps ran`);
}

const stoppedBy = ({ kind, by }: Wish, next: number, of: number): StepEnd & { kind: 'not-run' } => ({
  kind: 'not-run',
  reason: `${kind} by ${by} before step ${next} of ${of}`,
});

async function stopPlan(run: TicketRun, end: Exclude<StepEnd, { kind: 'applied' }>): Promise<void> {
  await release(run);
  const { pending } = run.ticket;
  if (end.kind === 'changed' && pending && pending.rejudged < MAX_REJUDGED) {
    run.change({
      pending: {
        ...{ ...pending, rejudged: pending.rejudged + 1 },
        ...{ approvedBy: null, approvals: [], changes: end.changes },
      },
    });
    return run.move('basisChanged', end.reason);
  }
  dropProposal(run, { end: 'not-run', note: end.reason });
  if (end.kind === 'shut' || end.kind === 'changed') return escalate(run, end.reason);
  run.refuse(end.reason);
  run.move('notRun', end.reason);
}

/** Gate and act for one step of a plan; `index` counts from 0. Undoing uses it too. */
export async function runStep(
  run: TicketRun,
  pending: Pending,
  { index, step }: { readonly index: number; readonly step: Step },
): Promise<StepEnd> {
  const ref: StepRef = { ticket: run.ticket.id, proposal: pending.proposal.id, step: index + 1, try: 1 };
  const gate = await passGate(run, pending, { ref, step });
  if ('kind' in gate) return gate;
  const { firstActAt, lastActAt, spent } = run.ticket;
  run.change({
    firstActAt: firstActAt ?? run.now(),
    lastActAt: run.now(),
    spent: { ...spent, acts: spent.acts + 1 },
  });
  run.isActing = true;
  try {
    const outcome = await actOnce(run, pending, { ref, step, lease: gate });
    // Nothing ran, for certain: it was no act.
    if (outcome?.outcome === 'refused') run.change({ firstActAt, lastActAt, spent });
    if (outcome) return takeOutcome(run, pending, { ref, step, outcome });
    return await settle(run, { ref, step, number: pending.proposal.number });
  } finally {
    run.isActing = false;
  }
}

interface AtStep {
  readonly ref: StepRef;
  readonly step: Step;
}

/** Asks the desk for the acting lease. A frozen or held subject is asked again for a while, then a person is told. */
async function passGate(run: TicketRun, pending: Pending, { ref, step }: AtStep): Promise<Lease | StepEnd> {
  const started = run.now();
  let told = '';
  for (;;) {
    const answer = await deskwork.gate.executeWithOptions({ summary: `gate: ${step.describe}` }, [
      {
        ...ref,
        target: step.target,
        action: step.action ?? 'call',
        forMs: step.timeoutMs + 60_000,
        rate: pending.approvedBy ? null : pending.rate,
      },
    ]);
    if (answer.granted) {
      run.happen({
        type: 'gate',
        granted: true,
        reason: `lease on ${answer.lease.target} until ${answer.lease.until}`,
      });
      return answer.lease;
    }
    if (answer.why === 'rate') return { kind: 'changed', reason: answer.reason, changes: [answer.reason] };
    if (between(started, run.now()) >= run.times.gateGiveUpMs) return { kind: 'shut', reason: answer.reason };
    if (answer.reason !== told) run.happen({ type: 'gate', granted: false, reason: answer.reason });
    told = answer.reason;
    run.show(`waiting for the gate: ${answer.reason}`);
    await condition(() => run.wish !== null, run.times.gateRetryMs, { summary: `gate shut: ${answer.reason}` });
    run.change({ waitedMs: run.ticket.waitedMs + run.times.gateRetryMs });
    if (run.wish) return { kind: 'not-run', reason: `${run.wish.kind} by ${run.wish.by}` };
  }
}

/** `null`: whether and how it ran is not known. */
async function actOnce(
  run: TicketRun,
  pending: Pending,
  { ref, step, lease }: AtStep & { readonly lease: Lease },
): Promise<ActOutcome | null> {
  run.show(`running: ${describeCall(step.call)}`);
  try {
    return await acting(step.timeoutMs).act.executeWithOptions({ summary: `act: ${describeCall(step.call)}` }, [
      {
        ...ref,
        agent: run.ticket.agent,
        cause: pending.proposal.cause,
        plan: step,
        lease,
        basis: pending.basis,
        approvedBy: pending.approvedBy,
        approvals: pending.approvals,
        run: pending.run,
      },
    ]);
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ActivityFailure)) throw error;
    return null;
  }
}

function takeOutcome(
  run: TicketRun,
  pending: Pending,
  { step, outcome, ref }: AtStep & { readonly outcome: ActOutcome },
): StepEnd {
  run.happen({
    type: 'acted',
    proposal: pending.proposal.number,
    step: ref.step,
    command: describeCall(step.call),
    outcome: outcome.outcome,
    exit: outcome.outcome === 'refused' ? null : outcome.exit,
    journal: outcome.journal,
    reason: outcome.reason,
  });
  switch (outcome.outcome) {
    case 'ok':
      return { kind: 'applied' };
    case 'failed':
      return { kind: 'not-run', reason: `${step.describe} failed: ${outcome.reason} ${outcome.tail}`.trim() };
    case 'refused':
      return {
        kind: 'changed',
        reason: [outcome.reason, ...outcome.changes].join('; '),
        changes: outcome.changes.length > 0 ? outcome.changes : [outcome.reason],
      };
  }
}

/** Distance of two looks at a command whose worker was lost while it runs on. */
const SETTLE_MS = 1_000;

async function settle(run: TicketRun, { ref, step, number }: AtStep & { readonly number: number }): Promise<StepEnd> {
  run.happen({
    type: 'acted',
    proposal: number,
    step: ref.step,
    command: describeCall(step.call),
    outcome: 'unknown',
    exit: null,
    journal: '-',
    reason: 'the worker was lost or the step was interrupted: looking instead of repeating',
  });
  const settled = await CancellationScope.nonCancellable(() => lookUntilSettled(ref, step));
  const done = settled.done === 'yes';
  run.happen({ type: 'settled', journal: settled.journal, done, reason: settled.reason });
  return done ? { kind: 'applied' } : { kind: 'not-run', reason: settled.reason };
}

async function lookUntilSettled(ref: StepRef, step: Step): Promise<Settled> {
  const until = Date.now() + step.timeoutMs;
  for (;;) {
    const settled = await looking.settle.executeWithOptions({ summary: `what became of: ${step.describe}` }, [
      { ...ref, plan: step },
    ]);
    const waiting = settled.entry === 'running' || (settled.entry === 'finished' && settled.done !== 'yes');
    if (!waiting || Date.now() >= until) return settled;
    await sleep(SETTLE_MS, { summary: 'the command may still be running' });
  }
}

/** Nobody keeps the right to act while nothing runs. */
export const release = (run: TicketRun): Promise<void> =>
  CancellationScope.nonCancellable(() =>
    deskwork.release.executeWithOptions({ summary: 'give the lease back' }, [{ ticket: run.ticket.id }]),
  );
