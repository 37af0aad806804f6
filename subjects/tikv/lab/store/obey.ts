import { Electorate } from '../raft/electorate.js';
import { changeMembership } from '../raft/membership.js';
import type { ChangeStep } from '../raft/types.js';
import type { PdOrder } from './pd-orders.js';
import { planChange } from './region-change.js';
import type { RegionPeer } from './region-peer.js';

/** What became of an order; `why` in TiKV's words where it has some. PD repeats what it still wants. */
export type Obeyed = { readonly ok: true } | { readonly ok: false; readonly why: string };

type Order<K extends PdOrder['kind']> = Extract<PdOrder, { kind: K }>;

export interface ObeyOptions {
  readonly region: RegionPeer | undefined;
  readonly order: PdOrder;
  /** Is there a connection to the store? */
  readonly isReachable: (storeId: number) => boolean;
}

/**
 * Carries out a step of PD, unless this store does not lead the region or the region is not what PD takes it for. Then
 * it is dropped: PD learns how things are from the next heartbeat.
 */
export function obey({ region, order, isReachable }: ObeyOptions): Obeyed {
  if (!region?.isInitialized) return refuse('region not found');
  if (!region.isLeader) return refuse('not leader');
  if (order.leader !== region.peerId) return refuse('mismatch peer id');
  const { confVer, version } = region.meta;
  if (order.confVer !== confVer || order.version !== version) return refuse('epoch not match');
  if (order.kind === 'change peer') return changePeers(region, order);
  return transferLeader(region, order, isReachable);
}

/** To the candidate with the most complete log, as TiKV does. One that does not answer would only stop the writes. */
function transferLeader(
  { node }: RegionPeer,
  { targets }: Order<'transfer leader'>,
  isReachable: ObeyOptions['isReachable'],
): Obeyed {
  const progress = node.progress();
  const ready = targets
    .filter(({ storeId }) => isReachable(storeId))
    .map(({ id }) => ({ id: String(id), peer: progress.get(String(id)) }))
    .filter(({ id, peer }) => peer?.recentActive && peer.state === 'replicate' && node.membership.voters.includes(id))
    .sort((a, b) => (b.peer?.match ?? 0) - (a.peer?.match ?? 0));
  const [best] = ready;
  if (best === undefined) return refuse('no target is reachable');
  const result = node.transferLeader(best.id);
  return result.ok ? result : refuse(result.reason);
}

function changePeers(region: RegionPeer, { changes }: Order<'change peer'>): Obeyed {
  const plan = planChange({ meta: region.meta, leader: region.peerId, changes });
  if (!plan.ok) return plan;
  if (!isSafe(region, plan.change.steps)) return refuse('unsafe to perform conf change');
  const result = region.node.proposeChange(plan.change);
  return result.ok ? { ok: true } : refuse(result.reason);
}

/**
 * Would a majority hold what the log no longer does (TiKV: `maximal_committed_index` against the truncated index)? Peers
 * without their data cannot be that majority: nothing would be committed until the last of them has it.
 */
function isSafe({ node, peerId }: RegionPeer, steps: readonly ChangeStep[]): boolean {
  const after = changeMembership(node.membership, steps);
  if (!after.ok || steps.length === 0) return true;
  const progress = node.progress();
  const held = (id: string) => (id === String(peerId) ? node.lastIndex : (progress.get(id)?.match ?? 0));
  return new Electorate(after.membership).agreed(held) >= node.truncatedIndex;
}

function refuse(why: string): Obeyed {
  return { ok: false, why };
}
