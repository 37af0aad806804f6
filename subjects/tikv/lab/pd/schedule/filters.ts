import type { StoreLimits } from './limits.js';
import { isLowOnSpace, type StoreSight, type Survey } from './survey.js';

/** Why a store is no source or no target now, in PD's names; null if it is one (PD: `filter.StoreStateFilter`). */
export type Refusal =
  | 'StoreRemoving'
  | 'StoreDown'
  | 'StoreDisconnected'
  | 'StoreBusy'
  | 'StoreRejectLeader'
  | 'StoreSnapshotThrottled'
  | 'StorePendingPeerThrottled'
  | 'StoreLimitExceeded'
  | 'StoreLowSpace';

/** May leaders be moved away from the store? */
export function leaderSourceRefusal({ hearing }: StoreSight): Refusal | null {
  return silenceRefusal(hearing);
}

/** May the store get a leader? */
export function leaderTargetRefusal(store: StoreSight): Refusal | null {
  if (store.meta.state !== 'Up') return 'StoreRemoving';
  if (store.refusesLeaders) return 'StoreRejectLeader';
  return silenceRefusal(store.hearing) ?? (store.stats?.isBusy === true ? 'StoreBusy' : null);
}

export interface PeerQuestion {
  readonly survey: Survey;
  readonly limits: StoreLimits;
}

/** May a peer be moved away from the store? A dead one may, too. */
export function peerSourceRefusal(store: StoreSight, { survey, limits }: PeerQuestion): Refusal | null {
  if (store.stats?.isBusy === true) return 'StoreBusy';
  if (!limits.hasRoom(store.id, 'remove-peer')) return 'StoreLimitExceeded';
  return hasManySnapshots(store, survey) ? 'StoreSnapshotThrottled' : null;
}

/** May the store get a peer, apart from what passes by itself? */
export function lastingTargetRefusal(store: StoreSight, survey: Survey): Refusal | null {
  if (store.meta.state !== 'Up') return 'StoreRemoving';
  if (store.hearing === 'down') return 'StoreDown';
  return isLowOnSpace(store, survey.number('low-space-ratio')) ? 'StoreLowSpace' : null;
}

/** May the store get a peer right now? */
export function peerTargetRefusal(store: StoreSight, { survey, limits }: PeerQuestion): Refusal | null {
  const lasting = lastingTargetRefusal(store, survey) ?? silenceRefusal(store.hearing);
  if (lasting !== null) return lasting;
  if (store.stats?.isBusy === true) return 'StoreBusy';
  if (!limits.hasRoom(store.id, 'add-peer')) return 'StoreLimitExceeded';
  if (hasManySnapshots(store, survey)) return 'StoreSnapshotThrottled';
  const mostPending = survey.number('max-pending-peer-count');
  return mostPending > 0 && store.totals.pendingPeerCount > mostPending ? 'StorePendingPeerThrottled' : null;
}

function silenceRefusal(hearing: StoreSight['hearing']): Refusal | null {
  if (hearing === 'down') return 'StoreDown';
  return hearing === 'disconnected' ? 'StoreDisconnected' : null;
}

function hasManySnapshots({ stats }: StoreSight, survey: Survey): boolean {
  const most = survey.number('max-snapshot-count');
  return stats !== null && (stats.sendingSnapCount > most || stats.receivingSnapCount > most);
}
