import { describe, expect, it } from '@jest/globals';
import type { Operation } from '../../../bench/linearizability/operation.js';
import { recordedClient } from '../../../bench/linearizability/recorded-client.js';
import type { Failure, FailureKind, RequestResult } from '../../../subjects/tikv/lab/store/client.js';

const failed = (...kinds: FailureKind[]): Failure[] => kinds.map((kind) => ({ kind, address: 'a store' }));

/** Records one call of a client that gets this result. */
async function recordedOf(call: 'get' | 'put', result: RequestResult<string | null>): Promise<Operation[]> {
  const operations: Operation[] = [];
  let time = 0;
  const client = { get: async () => result, put: async () => result as RequestResult<null> };
  const now = () => {
    time += 1;
    return time;
  };
  const recorded = recordedClient({ client, now, record: (operation) => operations.push(operation) });
  await (call === 'get' ? recorded.get('k') : recorded.put('k', 'v'));
  return operations;
}

const done = { kind: 'write', key: 'k', value: 'v', calledAt: 1, returnedAt: 2 };
const maybe = { ...done, returnedAt: null };
const served = { ok: true, value: null, address: 'a store' } as const;
const gaveUp = { ok: false, reason: 'gave-up' } as const;

describe('a recorded client', () => {
  it('records a read with what it saw, and nothing of one without an answer', async () => {
    const answer = { ok: true, value: 'v', address: 'a store', failures: failed('timeout') } as const;
    expect(await recordedOf('get', answer)).toEqual([{ ...done, kind: 'read' }]);
    expect(await recordedOf('get', { ...gaveUp, failures: failed('timeout') })).toEqual([]);
  });

  it('records a write that was refused before as one write', async () => {
    const failures = failed('refused', 'NotLeader', 'ServerIsBusy', 'RegionNotFound', 'KeyNotInRegion', 'no-region');
    expect(await recordedOf('put', { ...served, failures })).toEqual([done]);
  });

  it('records each attempt of unknown outcome as a write that may have happened besides', async () => {
    const failures = failed('timeout', 'NotLeader', 'closed', 'StaleCommand');
    expect(await recordedOf('put', { ...served, failures })).toEqual([done, maybe, maybe, maybe]);
  });

  it('records a write that was given up only if one of its attempts may have happened', async () => {
    expect(await recordedOf('put', { ...gaveUp, failures: failed('refused') })).toEqual([]);
    expect(await recordedOf('put', { ...gaveUp, failures: failed('refused', 'timeout') })).toEqual([maybe]);
  });

  it('fails when there may be failures that it was not told of', async () => {
    const failures = failed(...Array.from({ length: 64 }, () => 'NotLeader' as const));
    await expect(recordedOf('put', { ...gaveUp, failures })).rejects.toThrow('too many failures to know of all: k');
  });
});
