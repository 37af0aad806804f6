import type { PdLink } from './pd-link.js';
import type { RegionPeer } from './region-peer.js';

/**
 * Asks PD about a peer that nobody leads, most often one whose store was away while the region went on without it.
 *
 * @returns true if PD knows the region by a newer configuration, and without this peer. An unreachable PD, or one that
 *   does not know the region, proves nothing
 */
export async function isOutlived(region: RegionPeer, link: Pick<PdLink, 'call'>): Promise<boolean> {
  const { regionId, peerId, since } = region;
  const reply = await link.call('GetRegionByID', { region_id: regionId }).catch(() => null);
  const known = reply?.region ?? null;
  if (known === null) return false;
  // Not the epoch that the peer knows: one that waits for its data knows none, and PD may not have heard of it yet.
  const isNewer = Number(known.region_epoch?.conf_ver ?? 0) > since;
  return isNewer && !known.peers.some(({ id }) => Number(id) === peerId);
}
