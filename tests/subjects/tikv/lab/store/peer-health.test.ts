import { describe, expect, it } from '@jest/globals';
import type { PeerMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import { peerHealth } from '../../../../../subjects/tikv/lab/store/peer-health.js';

const voter = (id: number, storeId: number): PeerMeta => ({ id, storeId, role: 'Voter' });

const region = {
  id: 10,
  startKey: '',
  endKey: '',
  confVer: 3,
  version: 24,
  peers: [voter(11, 1), voter(12, 2), voter(13, 3)],
};

const ask = (matches: Record<number, number>, silent: Record<number, number> = {}) =>
  peerHealth({
    region,
    selfPeerId: 11,
    progress: new Map(Object.entries(matches).map(([id, match]) => [id, { match }])),
    truncatedIndex: 5,
    silentMs: (id) => silent[id] ?? 0,
    peerDownMs: 120_000,
  });

describe('the health of peers as their leader reports it', () => {
  it('finds nothing when both followers hold at least what the log was truncated to', () => {
    expect(ask({ 12: 5, 13: 9 })).toEqual({ pending: [], down: [] });
  });

  it('calls a peer pending that a new leader has not heard of', () => {
    expect(ask({ 12: 9, 13: 0 }).pending).toEqual([voter(13, 3)]);
  });

  it('does not call a dead peer pending when the leader stayed and its log was not truncated past the peer', () => {
    expect(ask({ 12: 9, 13: 6 }, { 13: 60_000 })).toEqual({ pending: [], down: [] });
  });

  it('calls a peer down from the limit of silence on, with the seconds', () => {
    expect(ask({ 12: 9, 13: 6 }, { 13: 119_999 }).down).toEqual([]);
    expect(ask({ 12: 9, 13: 6 }, { 13: 120_500 }).down).toEqual([{ peer: voter(13, 3), downSeconds: 120 }]);
  });

  it('never reports the leader itself', () => {
    expect(ask({ 12: 0, 13: 0 }, { 11: 1e9 }).pending.map((peer) => peer.id)).toEqual([12, 13]);
    expect(ask({ 12: 0, 13: 0 }, { 11: 1e9 }).down).toEqual([]);
  });
});
