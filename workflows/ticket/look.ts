import { condition } from '@temporalio/workflow';
import type { Evidence } from '../../src/domain/evidence.js';
import { limitsLeft } from '../../src/domain/limits.js';
import { MAX_CALLS_PER_LOOK } from '../../src/domain/next-step.js';
import { noteLook } from '../../src/domain/progress.js';
import { type Call, callBytes, describeCall } from '../../src/domain/query.js';
import { looking } from '../activity-options.js';
import { orFailure } from './or-failure.js';
import type { TicketRun } from './run.js';

/** Up to eight looks in parallel; what is over the limit of the ticket is told back. */
export async function lookAt(run: TicketRun, calls: readonly Call[], why: string): Promise<void> {
  const left = limitsLeft(run.ticket.limits, run.ticket.spent).looks;
  const asked = calls.slice(0, Math.min(MAX_CALLS_PER_LOOK, left));
  if (asked.length < calls.length) run.refuse(`${calls.length - asked.length} looks were over the limit`);
  if (asked.length === 0) return lookAtNothing(run);
  if (sameAsBefore(run, asked))
    await condition(() => run.wish !== null, run.times.proof.sampleMs, {
      summary: 'the same looks again: giving it time',
    });
  const looks = await Promise.all(asked.map(async (call) => ({ call, found: await lookOnce(run, call) })));
  const evidence = looks.flatMap(({ found }) => (found ? [found] : []));
  const { ticket } = run;
  run.change({
    evidence: [...ticket.evidence, ...evidence],
    spent: { ...ticket.spent, looks: ticket.spent.looks + asked.length },
  });
  run.happen({ type: 'looked', why, evidence: evidence.map(withoutExcerpt) });
  run.account(noteLook(ticket.progress, looks));
}

function lookAtNothing(run: TicketRun): void {
  run.refuse('a look names no call');
  run.account(noteLook(run.ticket.progress, []));
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
