import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../../../../subjects/tikv/lab/raft/messages.js';
import { Cluster, ELECTION_TICKS } from './cluster.js';

const THREE = ['a', 'b', 'c'];
const LEASE_TICKS = 8;

describe('a lease', () => {
  it('holds while a majority answers, and reads wait for what is committed', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.tick(5 * ELECTION_TICKS);
    expect(leader.leaseValid()).toBe(true);
    expect(leader.readIndex()).toBe(leader.commitIndex);
  });

  it('does not begin before an entry of the own term is committed', () => {
    const cluster = new Cluster(THREE);
    cluster.lost = ({ type }) => type === 'append';
    const leader = cluster.elect('a');
    expect(leader.role).toBe('leader');
    expect(leader.readIndex()).toBeNull();
  });

  it('is never held by a follower', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    expect(cluster.node('b').leaseValid()).toBe(false);
    expect(cluster.node('b').readIndex()).toBeNull();
  });

  it('ends before any voter would elect another leader', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.cutOff('a');
    cluster.tick(LEASE_TICKS - 1, ['a']);
    expect(leader.leaseValid()).toBe(true);
    cluster.tick(1, ['a']);
    expect(leader.leaseValid()).toBe(false);
    expect(leader.role).toBe('leader');
  });

  it('counts from the sending of the heartbeat, not from a late answer', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    const late: Message[] = [];
    cluster.lost = (message) => message.type === 'heartbeat-reply' && late.push(message) > 0;
    cluster.tick(2);
    cluster.cutOff('a');
    cluster.tick(LEASE_TICKS, ['a']);
    cluster.deliver(late);
    expect(leader.leaseValid()).toBe(false);
  });

  it('is shorter if clocks may drift further apart', () => {
    const cluster = new Cluster(THREE, { maxClockDrift: 2 });
    const leader = cluster.elect('a');
    cluster.cutOff('a');
    cluster.tick(4, ['a']);
    expect(leader.leaseValid()).toBe(false);
  });
});

describe('a transfer of leadership', () => {
  it('makes the target lead at once, in spite of the promise of the voters', () => {
    const cluster = new Cluster(THREE);
    expect(cluster.elect('a').transferLeader('c')).toEqual({ ok: true });
    cluster.settle();
    expect(cluster.node('c')).toMatchObject({ role: 'leader', term: 2 });
    expect(cluster.node('a')).toMatchObject({ role: 'follower', leader: 'c' });
  });

  it('waits until the target has the whole log', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.cutOff('c');
    leader.propose('x');
    cluster.settle();
    leader.transferLeader('c');
    cluster.settle();
    expect(leader.role).toBe('leader');
    cluster.reconnect();
    cluster.tick(2);
    expect(cluster.node('c').role).toBe('leader');
    cluster.settle();
    expect(cluster.applied('c')).toEqual(['x']);
  });

  it('lets nobody write or read through the old leader meanwhile', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.cutOff('c');
    leader.transferLeader('c');
    expect(leader.propose('x')).toEqual({ ok: false, leader: null });
    expect(leader.readIndex()).toBeNull();
    expect(leader.transferLeader('b')).toEqual({ ok: false, reason: 'transfer-in-progress' });
  });

  it('is given up after an election timeout, and reads come back with the no-op that seals it', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.lost = ({ type }) => type === 'timeout-now';
    leader.transferLeader('c');
    cluster.tick(ELECTION_TICKS - 1);
    expect(leader.leaseValid()).toBe(false);
    leader.tick();
    expect(leader.leaseValid()).toBe(false);
    cluster.settle();
    expect(leader.readIndex()).toBe(2);
  });

  it('that was given up cannot win any more when the request arrives at last', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    const late: Message[] = [];
    cluster.lost = (message) => message.type === 'timeout-now' && late.push(message) > 0;
    leader.transferLeader('c');
    // The target misses the sealing entry too, so it would obey; the others must refuse it.
    cluster.tick(ELECTION_TICKS - 1);
    cluster.lost = ({ to, type }) => to === 'c' && type === 'append';
    cluster.tick(1);
    expect(leader.leaseValid()).toBe(true);
    cluster.lost = ({ from, to }) => from === 'c' && to === 'a';
    cluster.deliver(late.slice(0, 1));
    expect(cluster.node('c').role).toBe('candidate');
    cluster.deliver(cluster.wire.splice(0));
    expect(leader.leaseValid()).toBe(true);
    expect(cluster.wire).toMatchObject([{ type: 'vote-reply', from: 'b', to: 'c', term: 2, granted: false }]);
  });

  it('that was given up is not taken up by a target that has seen the sealing entry', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    const late: Message[] = [];
    cluster.lost = (message) => message.type === 'timeout-now' && late.push(message) > 0;
    leader.transferLeader('c');
    cluster.tick(ELECTION_TICKS);
    expect(leader.leaseValid()).toBe(true);
    cluster.deliver(late);
    expect(cluster.node('c')).toMatchObject({ role: 'follower', leader: 'a', term: 1 });
  });

  it('is refused to whom it cannot be', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    expect(leader.transferLeader('a')).toEqual({ ok: false, reason: 'already-leader' });
    expect(leader.transferLeader('z')).toEqual({ ok: false, reason: 'unknown-member' });
    expect(cluster.node('b').transferLeader('c')).toEqual({ ok: false, reason: 'not-leader' });
  });
});
