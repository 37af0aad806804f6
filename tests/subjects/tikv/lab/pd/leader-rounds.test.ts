import { describe, expect, it } from '@jest/globals';
import { startLeaderRounds } from '../../../../../subjects/tikv/lab/pd/leader-rounds.js';
import { RegionCache } from '../../../../../subjects/tikv/lab/pd/regions.js';
import { apply, type Command, type PdState } from '../../../../../subjects/tikv/lab/pd/state.js';
import { clusterState } from './leader-view.js';

/** `pd-0`, its rounds run by hand. */
function pd0(known: PdState | null) {
  const rounds: (() => void)[] = [];
  const suggested: Command[] = [];
  const transfers: string[] = [];
  startLeaderRounds({
    self: 'pd-0',
    times: { storeHeartbeatMs: 1, pdPriorityCheckMs: 2 },
    regions: new RegionCache(),
    state: () => known,
    others: () => ['pd-1', 'pd-2'],
    suggest: (command) => void suggested.push(command),
    transfer: (to) => void transfers.push(to),
    every: (_ms, run) => void rounds.push(run),
  });
  for (const round of rounds) round();
  return { suggested, transfers };
}

const changed = (...commands: Command[]): PdState =>
  commands.reduce((state, command) => apply(state, command).state, clusterState(4));

describe('the rounds of a leader', () => {
  it('bury an empty store that was sent away, and hand over to whoever has a higher priority', () => {
    const state = changed(
      { kind: 'change-store', storeId: 4, change: { state: 'Offline', nodeState: 'Removing' } },
      { kind: 'prioritize', member: 'pd-2', priority: 3 },
    );
    expect(pd0(state)).toEqual({
      suggested: [{ kind: 'change-store', storeId: 4, change: { state: 'Tombstone', nodeState: 'Removed' } }],
      transfers: ['pd-2'],
    });
  });

  it('do nothing in a settled cluster', () => {
    expect(pd0(clusterState(4))).toEqual({ suggested: [], transfers: [] });
  });

  it('do nothing on a member that does not lead', () => {
    expect(pd0(null)).toEqual({ suggested: [], transfers: [] });
  });
});
