import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../../../../subjects/tikv/lab/raft/messages.js';
import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import type { Entry, RaftRestored } from '../../../../../subjects/tikv/lab/raft/types.js';
import { Cluster, ELECTION_TICKS } from './cluster.js';

const THREE = ['a', 'b', 'c'];

function logOf(terms: number[], hard: Partial<RaftRestored['hardState']> = {}): RaftRestored {
  const entries = terms.map((term, at): Entry => ({ term, index: at + 1, data: `${term}.${at + 1}` }));
  return { ...blankRestored(), entries, hardState: { term: terms.at(-1) ?? 0, vote: null, commit: 0, ...hard } };
}

describe('replication', () => {
  it('applies an entry on every member, in order', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    expect(leader.propose('x')).toEqual({ ok: true, index: 2, term: 1 });
    expect(leader.propose('y')).toEqual({ ok: true, index: 3, term: 1 });
    cluster.settle();
    expect(THREE.map((id) => cluster.applied(id))).toEqual([
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
    ]);
  });

  it('sends proposals made between two Readys in one message per follower', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    for (const data of ['x', 'y', 'z']) leader.propose(data);
    cluster.work('a');
    expect(cluster.wire.map((message) => message.type === 'append' && message.entries.length)).toEqual([3, 3]);
  });

  it('points a client to the leader, and keeps empty entries for itself', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    expect(cluster.node('b').propose('x')).toEqual({ ok: false, leader: 'a' });
    expect(() => leader.propose('')).toThrow('reserved for the no-op');
  });

  it('does not count an entry of the leader before it is on the disk', () => {
    const cluster = new Cluster(['only']);
    cluster.tick(ELECTION_TICKS);
    const node = cluster.node('only');
    node.propose('x');
    const ready = node.ready();
    expect(ready).toMatchObject({ entries: [{ data: 'x' }], committed: [], mustSync: true });
    expect(node.commitIndex).toBe(1);
    expect(node.ready()).toBeNull();
    node.propose('y');
    node.advance();
    expect(node.commitIndex).toBe(2);
  });

  it('asks for no fsync when only the commit index moved', () => {
    const cluster = new Cluster(['only']);
    cluster.tick(ELECTION_TICKS);
    const node = cluster.node('only');
    node.propose('x');
    node.ready();
    node.advance();
    expect(node.ready()).toMatchObject({ hardState: { commit: 2 }, committed: [{ data: 'x' }], mustSync: false });
  });

  it('finds where two long diverging logs meet in a few messages', () => {
    const a = logOf([1, 1, 1, ...Array.from({ length: 100 }, () => 3)]);
    const b = logOf([1, 1, ...Array.from({ length: 100 }, () => 2)]);
    const cluster = new Cluster(['a', 'b'], { disks: { a, b } });
    cluster.tick(ELECTION_TICKS, ['b']);
    let refusals = 0;
    cluster.lost = (message) => {
      if (message.type === 'append-reply' && message.outcome === 'refused') refusals += 1;
      return false;
    };
    cluster.tick(2 * ELECTION_TICKS, ['a']);
    expect(cluster.node('a').role).toBe('leader');
    expect(cluster.disk('b').entries).toEqual(cluster.disk('a').entries);
    expect(refusals).toBeLessThanOrEqual(3);
  });

  it('heals after any append was lost, without new writes', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.lost = ({ type, to }) => type === 'append' && to === 'c';
    leader.propose('x');
    leader.propose('y');
    cluster.settle();
    cluster.reconnect();
    cluster.tick(4);
    expect(cluster.applied('c')).toEqual(['x', 'y']);
  });

  it('commits an entry of an earlier term only together with one of its own', () => {
    const disks = { a: logOf([1, 2], { term: 3 }), b: logOf([1]), c: logOf([1]) };
    const cluster = new Cluster(THREE, { disks, maxEntriesPerMessage: 1 });
    cluster.tick(ELECTION_TICKS, ['b', 'c']);
    // The entry of term 2 reaches everybody, the no-op of the new leader behind it nobody.
    cluster.lost = (message) =>
      message.type === 'append' &&
      message.entries.some(({ data }) => data === '') &&
      cluster.node(message.to).lastIndex === 2;
    cluster.tick(2 * ELECTION_TICKS, ['a']);
    expect(cluster.node('a')).toMatchObject({ role: 'leader', commitIndex: 0 });
    expect([...cluster.node('a').progress().values()].map(({ match }) => match)).toEqual([2, 2]);
    cluster.reconnect();
    cluster.tick(4, ['a']);
    expect(cluster.node('a').commitIndex).toBe(3);
  });

  it('raises the alarm rather than replace a committed entry', () => {
    const cluster = new Cluster(THREE, { disks: { b: logOf([1, 1], { commit: 2 }) } });
    const wrong = { term: 2, index: 2, data: 'other' };
    const append: Message = {
      type: 'append',
      from: 'a',
      to: 'b',
      term: 2,
      prevIndex: 1,
      prevTerm: 1,
      entries: [wrong],
      commit: 2,
    };
    expect(() => cluster.node('b').step(append)).toThrow("entry 2 conflicts with the leader's, but 2 is committed");
  });

  it('does not take replaced entries for durable when their write comes back late', () => {
    const cluster = new Cluster(THREE);
    const follower = cluster.node('b');
    const from = (term: number, leader: string, entries: Entry[]): Message => {
      return { type: 'append', from: leader, to: 'b', term, prevIndex: 0, prevTerm: 0, entries, commit: 0 };
    };
    follower.step(
      from(
        1,
        'a',
        [1, 2, 3].map((index) => ({ term: 1, index, data: 'old' })),
      ),
    );
    follower.ready();
    follower.step(from(2, 'c', [{ term: 2, index: 1, data: 'new' }]));
    follower.advance();
    expect(follower.ready()).toMatchObject({ entries: [{ term: 2, index: 1, data: 'new' }], mustSync: true });
  });
});

describe("a leader's progress", () => {
  it('shows who is silent and how far each member got', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    cluster.cutOff('c');
    leader.propose('x');
    cluster.tick(ELECTION_TICKS);
    expect(leader.progress().get('b')).toEqual({
      match: 2,
      next: 3,
      applied: 2,
      state: 'replicate',
      recentActive: true,
    });
    expect(leader.progress().get('c')).toMatchObject({ match: 1, recentActive: false });
    expect(cluster.node('b').progress().size).toBe(0);
  });

  it('knows nothing of a dead member after a change of leaders', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    cluster.cutOff('a');
    cluster.tick(3 * ELECTION_TICKS, ['b', 'c']);
    const leader = THREE.map((id) => cluster.node(id)).find(({ role, id }) => role === 'leader' && id !== 'a');
    expect(leader?.progress().get('a')).toMatchObject({ match: 0, state: 'probe' });
  });

  it('goes back to probing a member that the transport cannot reach', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    leader.reportUnreachable('c');
    expect(leader.progress().get('c')).toMatchObject({ state: 'probe', match: 1, next: 2 });
  });
});

describe('a snapshot', () => {
  const behind = (trailingEntries: number) => {
    const cluster = new Cluster(THREE, { trailingEntries });
    const leader = cluster.elect('a');
    cluster.cutOff('c');
    for (const data of ['x', 'y', 'z']) leader.propose(data);
    cluster.settle();
    leader.compact(4, 'state at 4');
    cluster.settle();
    cluster.reconnect();
    return { cluster, leader };
  };

  it('replaces the log up to it, also on the disk', () => {
    const { cluster, leader } = behind(0);
    expect(cluster.disk('a')).toMatchObject({ entries: [], snapshot: { index: 4, term: 1, data: 'state at 4' } });
    expect(leader.snapshotIndex).toBe(4);
    leader.propose('later');
    cluster.settle();
    cluster.restart('a');
    expect(cluster.node('a')).toMatchObject({ lastIndex: 5, appliedIndex: 4, commitIndex: 5 });
  });

  it('brings a member up to date whose next entries are gone', () => {
    const { cluster, leader } = behind(0);
    cluster.tick(4);
    expect(cluster.installed('c')).toEqual([{ index: 4, term: 1, voters: THREE, data: 'state at 4' }]);
    leader.propose('later');
    cluster.settle();
    expect(cluster.applied('c')).toEqual(['later']);
  });

  it('is not needed by a member only slightly behind', () => {
    const { cluster } = behind(10);
    cluster.tick(4);
    expect(cluster.installed('c')).toEqual([]);
    expect(cluster.applied('c')).toEqual(['x', 'y', 'z']);
  });

  it('is sent again when it was lost', () => {
    const { cluster, leader } = behind(0);
    cluster.lost = ({ type }) => type === 'snapshot';
    cluster.tick(4);
    expect(leader.progress().get('c')?.state).toBe('snapshot');
    cluster.reconnect();
    cluster.tick(ELECTION_TICKS + 2);
    expect(cluster.node('c').commitIndex).toBe(4);
  });

  it('can only be made of what is applied, and not of less than before', () => {
    const { cluster, leader } = behind(0);
    expect(() => leader.compact(9, 'state')).toThrow('cannot compact to 9: applied is 4');
    leader.compact(3, 'older');
    cluster.settle();
    expect(leader.snapshotIndex).toBe(4);
  });
});
