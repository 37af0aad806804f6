import type { Invariant } from '../protocol.js';
import { leadersBalanced, storeHasSpace } from './invariants/balance.js';
import { leadersSpread } from './invariants/concentration.js';
import { ordersAsShipped } from './invariants/orders.js';
import { pdLeader, pdMembers, pdQuorum } from './invariants/pd.js';
import {
  regionsHaveLeader,
  regionsNoDownPeer,
  regionsNoMissingPeer,
  regionsNoPendingPeer,
} from './invariants/regions.js';
import { probeFast, probeOk } from './invariants/service.js';
import { leadersFast, leadersStay, peersFast, storeNotSlow } from './invariants/slowness.js';
import { storeReachable, storeUp } from './invariants/stores.js';
import type { TikvPicture } from './picture.js';

/** What has to hold of a TiKV cluster. The `evidence` ones file nothing until a loaded soak without them is on record. */
export const INVARIANTS: readonly Invariant<TikvPicture>[] = [
  storeReachable,
  storeUp,
  pdMembers,
  pdQuorum,
  pdLeader,
  regionsHaveLeader,
  regionsNoDownPeer,
  regionsNoPendingPeer,
  probeOk,
  ordersAsShipped,
  leadersSpread,
  regionsNoMissingPeer,
  probeFast,
  leadersBalanced,
  storeHasSpace,
  peersFast,
  storeNotSlow,
  leadersFast,
  leadersStay,
];
