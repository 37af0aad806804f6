import { condition } from '@temporalio/workflow';
import { confirmCause } from '../../src/domain/board.js';
import { causeName } from '../../src/domain/cause.js';
import { between } from '../../src/domain/ids.js';
import { judgeProof, newlyBroken, type ProofSample, type ProofState } from '../../src/domain/proof.js';
import { looking } from '../activity-options.js';
import { escalate } from './escalate.js';
import { proofClock } from './proof-clock.js';
import type { TicketRun } from './run.js';

/**
 * Repeated samples, outside the reasoner, decide. Only a full row of healthy samples with the cause gone resolves; what
 * is newly broken at the end means worse and is taken back; unknown goes to a person.
 */
export async function verify(run: TicketRun): Promise<void> {
  const started = run.ticket.lastActAt ?? run.now();
  const samples: ProofSample[] = [];
  const clock = proofClock(run);
  let state: ProofState = { result: 'open', inRow: 0, reason: 'no sample yet' };
  while (state.result === 'open' && !run.wish) {
    const sample = await clock.counting(SAMPLE_MS, () => takeSample(run, samples.length + 1));
    samples.push(sample);
    state = judgeProof(samples, run.times.proof, clock.elapsedMs());
    run.happen({ type: 'sampled', sample, inRow: state.inRow, needed: run.times.proof.samples });
    run.show(`proof: ${state.inRow} of ${run.times.proof.samples} healthy samples`);
    if (state.result === 'open') await clock.counting(run.times.proof.sampleMs, () => untilNextSample(run));
  }
  if (state.result !== 'open') await takeProof(run, state, { samples, overMs: between(started, run.now()) });
}

/** What one sample takes at most while a worker runs. */
const SAMPLE_MS = 20_000;

const untilNextSample = (run: TicketRun): Promise<boolean> =>
  condition(() => run.wish !== null, run.times.proof.sampleMs, { summary: 'until the next proof sample' });

const takeSample = (run: TicketRun, number: number): Promise<ProofSample> =>
  looking.sample.executeWithOptions({ summary: `proof sample ${number}` }, [
    { ticket: run.ticket.id, cause: causeUnderProof(run), since: run.ticket.lastActAt ?? run.ticket.openedAt },
  ]);

/** The cause of the last proposal that ran. */
function causeUnderProof(run: TicketRun): { class: string; target: string } {
  return run.ticket.proposals.findLast((p) => p.end === 'ran')?.cause ?? { class: 'other', target: run.ticket.subject };
}

async function takeProof(
  run: TicketRun,
  { result, reason }: ProofState,
  { samples, overMs }: { readonly samples: readonly ProofSample[]; readonly overMs: number },
): Promise<void> {
  if (result === 'open') return;
  const gone = samples.at(-1)?.causeGone ?? 'unknown';
  const causeGone = gone === 'unknown' ? gone : gone === 'yes';
  run.change({ proof: { result, causeGone, at: run.now() } });
  run.happen({ type: 'proof', result, reason, overMs });
  switch (result) {
    case 'healthy':
      confirm(run, reason);
      return run.move('proven', reason);
    case 'unknown':
      return escalate(run, `the repair could not be proven: ${reason}`);
    case 'unhealthy':
      return notBetter(run, reason, newlyBroken(run.ticket.brokenBefore, samples));
  }
}

/** Samples are no evidence of the ticket, so its last piece stands beside the proof's own words. */
function confirm(run: TicketRun, reason: string): void {
  const cause = causeUnderProof(run);
  const evidence = run.ticket.evidence.slice(-1).map(({ id }) => id);
  run.change({ board: confirmCause(run.ticket.board, cause, { evidence, because: `the proof: ${reason}` }) });
  const confirmed = run.ticket.board.find((h) => causeName(h.cause) === causeName(cause));
  if (confirmed) run.happen({ type: 'confirmed', hypothesis: confirmed.id, cause, evidence: confirmed.for });
}

function notBetter(run: TicketRun, reason: string, worse: readonly string[]): void {
  if (worse.length > 0) return run.move('worse', `newly broken: ${worse.join(', ')}`);
  run.refuse(`the repair did not help: ${reason}`);
  run.move('notBetter', reason);
}
