import { describe, expect, it } from '@jest/globals';
import { Group, type GroupOptions } from '../../../../../subjects/tikv/lab/pd/group.js';
import { EMPTY_STATE } from '../../../../../subjects/tikv/lab/pd/state.js';

describe("a member's part of the group", () => {
  it('takes a snapshot of an earlier release, with defaults for what that did not know', () => {
    const old = { clusterId: '7', leaderKey: null, idEnd: 1000, bootstrappedAtNs: '1', stores: {}, tsoEndMs: 5 };
    const group = new Group({
      self: 'pd-0',
      voters: ['pd-0'],
      tickMs: 100,
      electionMs: 600,
      random: () => 0.5,
      nowMs: () => 0,
      restored: {
        hardState: { term: 1, vote: null, commit: 9 },
        entries: [],
        snapshot: { index: 9, term: 1, voters: ['pd-0'], data: JSON.stringify(old) },
      },
    } as unknown as GroupOptions);
    expect(group.state).toEqual({ ...EMPTY_STATE, ...old });
    expect(group.state.schedulers).toHaveLength(5);
  });
});
