import type { Role } from '../raft/member.js';
import type { Log } from './log.js';
import type { RegionPeer } from './region-peer.js';

export interface RoleWatchOptions {
  readonly log: Log;
  readonly onChange: (region: RegionPeer) => void;
}

/** Notices what changed in a region since the last look, and says so in TiKV's words. */
export interface RoleWatch {
  look(region: RegionPeer): void;
}

interface Seen {
  readonly role: Role;
  readonly term: number;
}

/** The Raft core has no callbacks: its state is compared with what was seen before. */
export function createRoleWatch({ log, onChange }: RoleWatchOptions): RoleWatch {
  const seen = new WeakMap<RegionPeer, Seen>();

  function changed(region: RegionPeer, before: Seen | undefined, now: Seen): void {
    const fields = { region_id: region.regionId, raft_id: region.peerId, term: now.term };
    if (now.role === 'pre-candidate' && before?.role !== 'pre-candidate') {
      log.info('raft.rs', 'starting a new election', fields);
    }
    log.info('raft.rs', `became ${now.role} at term ${now.term}`, fields);
    if (now.role === 'leader') region.contacts.greetAll(region.meta.peers);
    if (before?.role === 'leader') region.dropWaiting();
  }

  return {
    look(region) {
      const now = { role: region.node.role, term: region.node.term };
      const before = seen.get(region);
      seen.set(region, now);
      const isFirstLook = before === undefined && now.role === 'follower';
      const isSame = before?.role === now.role && before.term === now.term;
      if (!isFirstLook && !isSame) changed(region, before, now);
      if (region.isLeader) onChange(region);
    },
  };
}
