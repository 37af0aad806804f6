import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../../src/domain/ids.js';
import { gap, known } from '../../../../src/domain/reading.js';
import { createLeaderWatch } from '../../../../subjects/tikv/observe/leader-memory.js';

const seen = (second: number) => ({ at: instant(second * 1_000), source: 'test' });

function member(name: string, second: number, { startedAt = instant(0), healthy = true } = {}) {
  return { name, startedAt: known(startedAt, seen(second)), quorum: known({ healthy, reason: '' }, seen(second)) };
}

function members(leader: string | null, second: number) {
  const list = [{ name: 'pd-0' }, { name: 'pd-1' }];
  return known(
    { members: list, leader: leader ? { name: leader } : null, etcd_leader: { name: leader ?? '' } },
    seen(second),
  );
}

describe('the memory of who led PD', () => {
  it('takes the first leader as one that may have led for long', () => {
    const watch = createLeaderWatch();
    expect(watch(members('pd-0', 1), [member('pd-0', 1)])).toMatchObject({
      value: { seenBy: 'first-look', seenSince: instant(1_000) },
    });
    expect(watch(members('pd-0', 9), [member('pd-0', 9)])).toMatchObject({
      value: { seenBy: 'first-look', seenSince: instant(1_000) },
    });
  });

  it.each([
    ['another member leads', members('pd-1', 5), [member('pd-0', 5), member('pd-1', 5)]],
    ['the leader was restarted', members('pd-0', 5), [member('pd-0', 5, { startedAt: instant(4_000) })]],
  ])('begins anew when %s', (_, answer, list) => {
    const watch = createLeaderWatch();
    watch(members('pd-0', 1), [member('pd-0', 1)]);
    expect(watch(answer, list)).toMatchObject({ value: { seenBy: 'change', seenSince: instant(5_000) } });
  });

  it('begins anew when the same process leads again after the quorum was lost', () => {
    const watch = createLeaderWatch();
    watch(members('pd-0', 1), [member('pd-0', 1)]);
    watch(gap('pd-0: 503', seen(2)), [member('pd-0', 2, { healthy: false })]);
    expect(watch(members('pd-0', 9), [member('pd-0', 9)])).toMatchObject({
      value: { seenBy: 'change', seenSince: instant(9_000) },
    });
  });

  it('does not take its own missed answer for a loss of the leader', () => {
    const watch = createLeaderWatch();
    watch(members('pd-0', 1), [member('pd-0', 1)]);
    watch(gap('pd-0: no answer', seen(2)), [member('pd-0', 2)]);
    expect(watch(members('pd-0', 3), [member('pd-0', 3)])).toMatchObject({ value: { seenBy: 'first-look' } });
  });
});
