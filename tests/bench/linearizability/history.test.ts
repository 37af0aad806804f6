import { describe, expect, it } from '@jest/globals';
import { checkHistory } from '../../../bench/linearizability/history.js';
import type { Operation } from '../../../bench/linearizability/operation.js';

const on = (key: string): Operation[] => [
  { kind: 'write', key, value: 'a', calledAt: 0, returnedAt: 1 },
  { kind: 'write', key, value: 'b', calledAt: 2, returnedAt: 3 },
  { kind: 'read', key, value: 'b', calledAt: 4, returnedAt: 5.25 },
];
const stale: Operation = { kind: 'read', key: 'y', value: 'a', calledAt: 6, returnedAt: 7 };

describe('checkHistory', () => {
  it('takes every key for a register of its own', () => {
    expect(checkHistory([...on('x'), ...on('y')])).toMatchObject({ broken: [], keys: 2, operations: 6 });
  });

  it('names the key that is broken, the answer that cannot be, and what went on around it', () => {
    const { broken } = checkHistory([...on('x'), ...on('y'), stale]);
    expect(broken).toEqual([
      {
        key: 'y',
        message: [
          'y: no order explains read "a" 6..7; it may have held "b"',
          '  write "a" 0..1',
          '  write "b" 2..3',
          '  read "b" 4..5.25',
          '  read "a" 6..7',
        ].join('\n'),
      },
    ]);
  });
});
