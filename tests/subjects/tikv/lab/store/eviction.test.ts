import { describe, expect, it } from '@jest/globals';
import { waitForEviction } from '../../../../../subjects/tikv/lab/store/eviction.js';
import { createLog } from '../../../../../subjects/tikv/lab/store/log.js';

interface Case {
  /** How many leaders there are at the nth look at PD. */
  readonly leaders: (told: number) => number;
  readonly listens?: (told: number) => boolean;
  readonly timeoutMs?: number;
}

async function waited({ leaders, listens = () => true, timeoutMs = 60_000 }: Case) {
  const lines: string[] = [];
  let told = 0;
  await waitForEviction({
    leaders: () => leaders(told),
    tellPd: async () => {
      told += 1;
      return listens(told);
    },
    timeoutMs,
    monotonicMs: () => performance.now(),
    log: createLog({ now: () => new Date(), write: (line) => lines.push(line) }),
  });
  const counts = lines.flatMap((line) => /Waiting for leader eviction.*leaders_count=(\d+)/.exec(line)?.[1] ?? []);
  return { told, counts, last: lines.at(-1) };
}

describe('a store that is told to end', () => {
  it('does not wait without leaders', async () => {
    const { told, last } = await waited({ leaders: () => 0 });
    expect(told).toBe(0);
    expect(last).toContain('All leaders evicted');
  });

  it('tells PD, and waits until the last leader is gone', async () => {
    const { counts, last } = await waited({ leaders: (told) => Math.max(0, 3 - told) });
    expect(counts).toEqual(['3', '2', '1']);
    expect(last).toContain('All leaders evicted');
  });

  it('ends with leaders when nobody takes them in time', async () => {
    const { told, last } = await waited({ leaders: () => 2, timeoutMs: 500 });
    expect(told).toBeGreaterThan(1);
    expect(last).toContain('Graceful shutdown ends with leaders');
    expect(last).toContain('leaders_count=2');
  });

  it('does not wait for a PD that does not listen, but for one that is electing', async () => {
    expect((await waited({ leaders: () => 2, listens: () => false })).told).toBe(3);
    const electing = await waited({
      leaders: (told) => (told < 6 ? 2 : 0),
      listens: (told) => told !== 2 && told !== 3,
    });
    expect(electing.last).toContain('All leaders evicted');
  });
});
