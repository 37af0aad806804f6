import { describe, expect, it } from '@jest/globals';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Room } from '../../activities/room.js';
import { createThink } from '../../activities/think.js';
import { MedicError } from '../../src/domain/errors.js';
import type { ModelCall } from '../../src/domain/next-step.js';
import { ModelFailure } from '../../src/reasoner/model-failure.js';
import type { Reasoner } from '../../src/reasoner/reasoner.js';
import { digest, memoryStore } from '../src/reasoner/claude/room.js';

const activities = (reasoner: Pick<Reasoner, 'reason'>) =>
  createThink({
    rooms: new Map([['lamps', { reasoner: { name: 'test', ...reasoner } } as unknown as Room]]),
    evidence: memoryStore(),
  });

const input = { digest: digest(), pictureSha: 'p' };
const call = { model: 'm', usd: 0.5 } as ModelCall;

async function failureOf(environment: MockActivityEnvironment, reason: Reasoner['reason']) {
  const error = await environment.run(activities({ reason }).think, input).then(
    () => null,
    (failure: unknown) => failure,
  );
  return error as ApplicationFailure;
}

describe('thinking', () => {
  it('retries what may pass after the time the server asked for', async () => {
    const failure = await failureOf(new MockActivityEnvironment(), async () => {
      throw new ModelFailure('retry', 'HTTP 529: overloaded', 7_000);
    });
    expect(failure).toMatchObject({
      type: 'MEDIC_REASONER_UNAVAILABLE',
      message: 'HTTP 529: overloaded',
      nextRetryDelay: 7_000,
    });
    expect(failure.nonRetryable).toBeFalsy();
  });

  it('is tried again when the disk is full, and says what to do about it', async () => {
    const failure = await failureOf(new MockActivityEnvironment(), async () => {
      throw new MedicError('MEDIC_DISK_FULL', 'ab/cd could not be written');
    });
    expect(failure).toMatchObject({
      type: 'MEDIC_DISK_FULL',
      message: expect.stringMatching(/^MEDIC_DISK_FULL {2}ab\/cd could not be written\. Make room there/),
    });
    expect(failure.nonRetryable).toBeFalsy();
  });

  it.each([
    ['a coded error', new MedicError('MEDIC_EVIDENCE_MISSING', 'no e1'), 'MEDIC_EVIDENCE_MISSING'],
    ['a final failure of a model', new ModelFailure('final', 'HTTP 404'), 'MEDIC_REASONER_UNAVAILABLE'],
  ])('does not repeat %s', async (_, error, type) => {
    const failure = await failureOf(new MockActivityEnvironment(), async () => {
      throw error;
    });
    expect(failure).toMatchObject({ type, nonRetryable: true });
  });

  it('tells the next try what was paid and what failed, in its last heartbeat', async () => {
    const beats: unknown[] = [];
    const environment = new MockActivityEnvironment();
    environment.on('heartbeat', (details) => beats.push(structuredClone(details)));
    await failureOf(environment, async (_digest, { attempt }) => {
      attempt.calls.push(call);
      attempt.failures.push({ model: 'm', kind: 'retry', words: 'overloaded' });
      throw new ModelFailure('retry', 'overloaded');
    });
    expect(beats[0]).toEqual({ calls: [], failures: [] });
    expect(beats.at(-1)).toEqual({ calls: [call], failures: [{ model: 'm', kind: 'retry', words: 'overloaded' }] });
    const next = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: beats.at(-1) });
    const seen: unknown[] = [];
    await failureOf(next, async (_digest, { attempt }) => {
      seen.push(structuredClone(attempt));
      throw new ModelFailure('retry', 'again');
    });
    expect(seen).toMatchObject([{ number: 2, calls: [call], failures: [{ words: 'overloaded' }] }]);
  });

  it('counts as cancelled when it is: an abort must not look like a failed model', async () => {
    const environment = new MockActivityEnvironment();
    const failure = await failureOf(environment, (_digest, { signal }) => {
      environment.cancel();
      return new Promise((_, reject) => {
        const abort = () => reject(new ModelFailure('retry', 'it was aborted'));
        if (signal?.aborted) abort();
        else signal?.addEventListener('abort', abort);
      });
    });
    expect(failure).toBeInstanceOf(CancelledFailure);
  });
});
