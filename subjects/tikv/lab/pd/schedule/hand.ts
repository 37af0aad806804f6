import type { PeerRole } from '../model.js';
import { addPeer, movePeer, removePeer, transferLeader, type Wish } from './build.js';
import type { Kind } from './kind.js';
import type { Draft } from './operator.js';
import { heir } from './placement.js';
import type { Round } from './scheduler.js';

/** What a person asks for with `POST /operators`. */
export type HandWish =
  | { readonly kind: 'transfer-leader'; readonly regionId: number; readonly to: number }
  | { readonly kind: 'add-peer'; readonly regionId: number; readonly to: number; readonly role: 'Voter' | 'Learner' }
  | { readonly kind: 'remove-peer'; readonly regionId: number; readonly from: number }
  | { readonly kind: 'move-peer'; readonly regionId: number; readonly from: number; readonly to: number };

/** An operator by hand: a new one, or the end of one. */
export type OperatorOrder =
  | { readonly kind: 'start'; readonly wish: HandWish }
  | { readonly kind: 'cancel'; readonly regionId: number };

/** The draft for it, null if it cannot be built: no such region, no id, or nobody who could lead instead. */
export function draftByHand(round: Round, wish: HandWish): Draft | null {
  const report = round.survey.scene.regions.get(wish.regionId);
  if (report === undefined) return null;
  const named = (desc: string, kinds: readonly Kind[] = ['admin']): Wish => ({
    desc,
    kinds,
    report,
    priority: 'admin',
  });
  switch (wish.kind) {
    case 'transfer-leader':
      return transferLeader(named('admin-transfer-leader', ['admin', 'leader']), wish);
    case 'add-peer': {
      const peerId = round.peerId();
      if (peerId === null) return null;
      return addPeer(named(descOf(wish.role)), { storeId: wish.to, peerId, role: wish.role });
    }
    case 'remove-peer':
      return removePeer(named('admin-remove-peer'), { from: wish.from, newLeader: heir(round, report, wish.from) });
    case 'move-peer': {
      const peerId = round.peerId();
      if (peerId === null) return null;
      return movePeer(named('admin-move-peer'), {
        from: wish.from,
        to: { storeId: wish.to, peerId },
        newLeader: heir(round, report, wish.from),
        joint: round.survey.isOn('enable-joint-consensus') ? 'on' : 'off',
      });
    }
  }
}

function descOf(role: PeerRole): string {
  return role === 'Learner' ? 'admin-add-learner' : 'admin-add-peer';
}
