import type { ClusterTimes } from '../../profiles.js';
import { storeChecks } from './changes/store-state.js';
import type { RegionCache } from './regions.js';
import type { Command, PdState } from './state.js';
import { preferredLeader } from './transfer.js';

export interface LeaderRoundsOptions {
  readonly self: string;
  readonly times: Pick<ClusterTimes, 'storeHeartbeatMs' | 'pdPriorityCheckMs'>;
  readonly regions: RegionCache;
  /** Null while this member does not serve as PD's leader. */
  readonly state: () => PdState | null;
  /** The other members that could take over now. */
  readonly others: () => readonly string[];
  /** For the group's log; a lost one comes again with the next round. */
  readonly suggest: (command: Command) => void;
  readonly transfer: (to: string) => void;
  readonly every: (ms: number, run: () => void) => void;
}

/** Starts what a leader looks at from time to time by itself: its stores, and whether another member should lead. */
export function startLeaderRounds(options: LeaderRoundsOptions): void {
  const { times, every } = options;
  every(times.storeHeartbeatMs, () => checkStores(options));
  every(times.pdPriorityCheckMs, () => checkPriority(options));
}

function checkStores({ state, regions, suggest }: LeaderRoundsOptions): void {
  const known = state();
  if (known === null) return;
  for (const command of storeChecks({ state: known, regions })) suggest(command);
}

function checkPriority({ state, self, others, transfer }: LeaderRoundsOptions): void {
  const known = state();
  if (known === null) return;
  const preferred = preferredLeader({ priorities: known.priorities, leader: self, others: others() });
  if (preferred !== null) transfer(preferred);
}
