import { describe, expect, it } from '@jest/globals';
import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import { PeerTable } from '../../../../../subjects/tikv/lab/store/peer-table.js';
import { RegionPeer } from '../../../../../subjects/tikv/lab/store/region-peer.js';
import type { PeerMessage } from '../../../../../subjects/tikv/lab/store/store-frames.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';

const peer = (regionId: number, peerId: number) =>
  new RegionPeer({
    regionId,
    peerId,
    storeId: 1,
    since: 3,
    restored: blankRestored(),
    times: PROFILES.fast.cluster,
    random: () => 0,
    monotonicMs: () => 0,
  });
const heartbeat = (to: number): PeerMessage => ({
  type: 'heartbeat',
  from: '2',
  to: String(to),
  term: 1,
  commit: 0,
  sentAt: 0,
});
const answerToCandidate = (to: number): PeerMessage => ({
  type: 'pre-vote-reply',
  from: '2',
  to: String(to),
  term: 1,
  granted: false,
  commit: 0,
  commitTerm: 0,
});

describe('what a message is to a store', () => {
  const table = () => new PeerTable([peer(10, 50)], new Map([[20, 50]]));

  it.each<[string, number, PeerMessage, string]>([
    ['its peer', 10, heartbeat(50), 'known'],
    ['an older peer of the region', 10, heartbeat(49), 'stale'],
    ['a newer peer, which has to wait until the older one is gone', 10, heartbeat(51), 'occupied'],
    ['a peer that was destroyed', 20, heartbeat(50), 'stale'],
    ['a peer older than the one that was destroyed', 20, heartbeat(11), 'stale'],
    ['a peer that is to be made after one was destroyed', 20, heartbeat(51), 'unknown'],
    ['a peer that is to be made', 30, heartbeat(11), 'unknown'],
    ['a peer that no leader vouches for', 30, answerToCandidate(11), 'stale'],
  ])('for %s', (_, regionId, message, kind) => {
    expect(table().admit(regionId, message).kind).toBe(kind);
  });

  it('for a peer that was there a moment ago', () => {
    const after = table();
    after.remove(after.get(10)!);
    expect([after.get(10), after.admit(10, heartbeat(50)).kind]).toEqual([undefined, 'stale']);
    after.add(peer(10, 51));
    expect(after.admit(10, heartbeat(51)).kind).toBe('known');
  });
});
