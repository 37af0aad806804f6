import { describe, expect, it } from '@jest/globals';
import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import type { RaftRestored } from '../../../../../subjects/tikv/lab/raft/types.js';
import { Cluster, ELECTION_TICKS } from './cluster.js';

const THREE = ['a', 'b', 'c'];
const vote = { type: 'vote', term: 9, lastIndex: 5, lastTerm: 5, commit: 0, commitTerm: 0, handover: false } as const;

describe('an election', () => {
  it('is won at once by the member of a new group that is told to campaign', () => {
    const cluster = new Cluster(THREE);
    expect(cluster.elect('b').role).toBe('leader');
    expect(THREE.map((id) => cluster.node(id).leader)).toEqual(['b', 'b', 'b']);
  });

  it('makes a lone voter lead and commit by itself', () => {
    const cluster = new Cluster(['only']);
    cluster.tick(ELECTION_TICKS);
    cluster.node('only').propose('x');
    cluster.settle();
    expect(cluster.applied('only')).toEqual(['x']);
  });

  it('starts by itself after a time of silence', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    cluster.cutOff('a');
    cluster.tick(3 * ELECTION_TICKS);
    expect([cluster.node('b').role, cluster.node('c').role]).toContain('leader');
    expect(cluster.node('a').role).not.toBe('leader');
  });

  it('needs only one call even if the others start a little later', () => {
    const cluster = new Cluster(THREE);
    cluster.cutOff('a');
    cluster.elect('a');
    expect(cluster.node('a').role).toBe('pre-candidate');
    cluster.reconnect();
    cluster.tick(2);
    expect(cluster.node('a').role).toBe('leader');
  });

  it('does not happen when a member that was cut off comes back', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    cluster.cutOff('c');
    cluster.tick(10 * ELECTION_TICKS);
    cluster.reconnect();
    cluster.tick(2 * ELECTION_TICKS);
    expect(cluster.node('a')).toMatchObject({ role: 'leader', term: 1 });
    expect(cluster.node('c')).toMatchObject({ role: 'follower', leader: 'a', term: 1 });
  });

  it('cannot be called while the lease of a leader may hold', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    expect(cluster.elect('b').role).toBe('follower');
    expect(cluster.node('a').role).toBe('leader');
  });

  it('ends the reign of a leader that hears from no majority', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    cluster.cutOff('a');
    cluster.tick(ELECTION_TICKS, ['a']);
    expect(cluster.node('a')).toMatchObject({ role: 'follower', leader: null });
  });
});

describe('a voter', () => {
  const disk: RaftRestored = {
    ...blankRestored(),
    hardState: { term: 5, vote: null, commit: 0 },
    entries: [1, 2, 3, 4, 5].map((index) => ({ term: 5, index, data: 'x' })),
  };
  const voter = () => {
    const cluster = new Cluster(THREE, { disks: { a: structuredClone(disk) } });
    cluster.lost = ({ type }) => !type.endsWith('vote-reply');
    cluster.tick(ELECTION_TICKS, ['a']);
    return cluster;
  };
  const ask = (cluster: Cluster, question: Partial<typeof vote> & { from: string }) => {
    cluster.node('a').step({ ...vote, to: 'a', ...question } as typeof vote & { from: string; to: string });
    cluster.work('a');
    return cluster.wire.splice(0).map((answer) => 'granted' in answer && answer.granted);
  };

  it('votes for one candidate in a term, and says so again when asked again', () => {
    const cluster = voter();
    expect(ask(cluster, { from: 'b' })).toEqual([true]);
    expect(ask(cluster, { from: 'c' })).toEqual([false]);
    expect(ask(cluster, { from: 'b' })).toEqual([true]);
  });

  it('remembers its vote over a restart', () => {
    const cluster = voter();
    ask(cluster, { from: 'b' });
    cluster.restart('a');
    cluster.tick(ELECTION_TICKS, ['a']);
    expect(ask(cluster, { from: 'c' })).toEqual([false]);
  });

  it.each([
    ['ends in an older term', { lastIndex: 9, lastTerm: 4 as 5 }],
    ['is shorter in the same term', { lastIndex: 4 as 5, lastTerm: 5 as const }],
  ])('refuses a candidate whose log %s', (_, end) => {
    expect(ask(voter(), { from: 'b', ...(end as Partial<typeof vote>) })).toEqual([false]);
  });

  it('answers nobody right after a restart, since a leader may count on what it said before', () => {
    const cluster = voter();
    cluster.restart('a');
    cluster.tick(ELECTION_TICKS - 1, ['a']);
    expect(ask(cluster, { from: 'b' })).toEqual([]);
    expect(cluster.node('a').term).toBe(5);
  });

  it('refuses the question of a member that was cut off while it hears the leader', () => {
    const cluster = new Cluster(THREE);
    cluster.elect('a');
    cluster
      .node('b')
      .step({ type: 'pre-vote', from: 'c', to: 'b', term: 2, lastIndex: 1, lastTerm: 1, commit: 0, commitTerm: 0 });
    cluster.work('b');
    expect(cluster.wire).toEqual([
      { type: 'pre-vote-reply', from: 'b', to: 'c', term: 1, granted: false, commit: 1, commitTerm: 1 },
    ]);
  });
});

describe('a member', () => {
  it('refuses options that cannot work', () => {
    expect(() => new Cluster(['a'], { voters: ['b'] })).toThrow('member a is not one of the voters b');
    expect(() => new Cluster(['a'], { electionTicks: 2 })).toThrow('electionTicks is 2, must be at least 3');
    expect(() => new Cluster(['a'], { heartbeatTicks: 0 })).toThrow('heartbeatTicks is 0, must be at least 1');
  });

  it('refuses a disk on which committed entries are missing', () => {
    const a = { ...blankRestored(), hardState: { term: 3, vote: null, commit: 2 } };
    expect(() => new Cluster(['a'], { disks: { a } })).toThrow('log ends at 0, before the commit index 2');
  });

  it('ignores messages for others, and what seems to come from itself', () => {
    const cluster = new Cluster(THREE);
    cluster.node('a').step({ ...vote, from: 'b', to: 'c' });
    cluster.node('a').step({ ...vote, from: 'a', to: 'a' });
    expect(cluster.node('a').term).toBe(0);
  });

  it('raises the alarm when somebody else leads its term', () => {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    const rival = { type: 'heartbeat', from: 'b', to: 'a', term: 1, commit: 0, sentAt: 0 } as const;
    expect(() => leader.step(rival)).toThrow('two leaders in term 1: a and b');
  });
});
