import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../../../../subjects/tikv/lab/raft/messages.js';
import type { RaftNode } from '../../../../../subjects/tikv/lab/raft/node.js';
import type { ChangeStep, NodeId } from '../../../../../subjects/tikv/lab/raft/types.js';
import { Cluster, ELECTION_TICKS, foundingDisks } from './cluster.js';

const THREE = ['a', 'b', 'c'];
const add = (id: NodeId): ChangeStep => ({ kind: 'add-voter', id });
const learn = (id: NodeId): ChangeStep => ({ kind: 'add-learner', id });
const remove = (id: NodeId): ChangeStep => ({ kind: 'remove', id });

function group(voters = THREE): { cluster: Cluster; leader: RaftNode } {
  const cluster = new Cluster(voters, { disks: foundingDisks(voters) });
  return { cluster, leader: cluster.elect('a') };
}

function change(leader: RaftNode, ...steps: ChangeStep[]) {
  return leader.proposeChange({ steps, data: 'meta' });
}

describe('a change of members', () => {
  it('is in force once it is applied, and the Ready that applies it says what the group is now', () => {
    const { cluster, leader } = group();
    cluster.join('d');
    expect(change(leader, learn('d'))).toEqual({ ok: true, index: 7, term: 1 });
    expect(leader.membership).toEqual({ voters: THREE });
    cluster.work('a');
    cluster.deliver(cluster.wire.splice(0));
    for (const message of cluster.wire.splice(0)) leader.step(message);
    const ready = leader.ready();
    expect(ready?.committed).toEqual([{ index: 7, term: 1, data: 'meta', change: [learn('d')] }]);
    expect(ready?.mustSync).toBe(true);
    expect(ready?.changes).toEqual([{ index: 7, membership: { voters: THREE, learners: ['d'] } }]);
    expect(leader.membership).toEqual({ voters: THREE });
    leader.advance();
    expect(leader.membership).toEqual({ voters: THREE, learners: ['d'] });
  });

  it('brings a new learner the snapshot, the log and the configuration', () => {
    const { cluster, leader } = group();
    cluster.join('d');
    leader.propose('x');
    change(leader, learn('d'));
    cluster.tick(4);
    expect(cluster.installed('d')).toMatchObject([{ index: 5, voters: THREE, data: 'founded' }]);
    expect(cluster.applied('d')).toEqual(['x', 'meta']);
    expect(cluster.node('d')).toMatchObject({ role: 'follower', leader: 'a', membership: leader.membership });
  });

  it('can be seen to have reached everybody, so that who was removed may go', () => {
    const { cluster, leader } = group();
    change(leader, remove('c'));
    cluster.settle();
    expect(leader.progress().get('b')?.applied).toBeLessThan(7);
    cluster.tick(4);
    expect(leader.progress().get('b')?.applied).toBe(7);
  });

  it('is refused while another one may not be applied yet', () => {
    const { cluster, leader } = group();
    cluster.lost = () => true;
    expect(change(leader, learn('d'))).toMatchObject({ ok: true });
    expect(change(leader, learn('e'))).toEqual({ ok: false, reason: 'not-ready' });
  });

  it('waits for an entry of the own term', () => {
    const cluster = new Cluster(THREE, { disks: foundingDisks(THREE) });
    cluster.lost = ({ type }) => type === 'append';
    const leader = cluster.elect('a');
    expect(leader.role).toBe('leader');
    expect(change(leader, learn('d'))).toEqual({ ok: false, reason: 'not-ready' });
  });

  it('is refused to a follower, during a transfer, in a group founded without a snapshot, and where it makes no sense', () => {
    const { cluster, leader } = group();
    expect(change(cluster.node('b'), learn('d'))).toEqual({ ok: false, reason: 'not-leader' });
    expect(change(leader, remove('z'))).toEqual({ ok: false, reason: 'no-effect' });
    cluster.cutOff('c');
    leader.transferLeader('c');
    expect(change(leader, learn('d'))).toEqual({ ok: false, reason: 'transfer-in-progress' });
    const without = new Cluster(THREE).elect('a');
    expect(change(without, learn('d'))).toEqual({ ok: false, reason: 'no-snapshot' });
  });

  it('survives a restart from the log, and a compaction in the snapshot', () => {
    const { cluster, leader } = group();
    cluster.join('d');
    change(leader, learn('d'));
    cluster.tick(4);
    cluster.restart('b');
    expect(cluster.node('b').membership).toEqual({ voters: THREE });
    cluster.settle();
    expect(cluster.node('b').membership).toEqual({ voters: THREE, learners: ['d'] });
    leader.compact(leader.appliedIndex, 'state');
    cluster.settle();
    cluster.restart('a');
    expect(cluster.node('a').membership).toEqual({ voters: THREE, learners: ['d'] });
  });

  it('is not yet in a snapshot that is older', () => {
    const { cluster, leader } = group();
    cluster.join('d');
    leader.propose('x');
    change(leader, learn('d'));
    cluster.settle();
    leader.compact(7, 'state at 7');
    cluster.settle();
    expect(cluster.disk('a').snapshot).toEqual({ index: 7, term: 1, voters: THREE, data: 'state at 7' });
  });
});

describe('a learner', () => {
  function withLearner(voters = THREE) {
    const made = group(voters);
    made.cluster.join('d');
    change(made.leader, learn('d'));
    made.cluster.tick(4);
    return made;
  }

  it('does not help to commit, to keep a lease or to keep a reign', () => {
    const { cluster, leader } = withLearner();
    cluster.cutOff('b', 'c');
    const before = leader.commitIndex;
    leader.propose('x');
    cluster.tick(ELECTION_TICKS - 2);
    expect(leader.progress().get('d')?.match).toBe(leader.lastIndex);
    expect(leader.commitIndex).toBe(before);
    expect(leader.leaseValid()).toBe(false);
    cluster.tick(2);
    expect(leader.role).toBe('follower');
  });

  it('calls no election, is asked for no vote and gets no leadership', () => {
    const { cluster, leader } = withLearner();
    expect(leader.transferLeader('d')).toEqual({ ok: false, reason: 'not-voter' });
    cluster.cutOff('a');
    const asked: Message[] = [];
    cluster.lost = (message) => {
      if (message.to === 'd' && message.type.endsWith('vote')) asked.push(message);
      return message.from === 'a' || message.to === 'a';
    };
    cluster.tick(5 * ELECTION_TICKS, ['d']);
    cluster.node('d').campaign();
    expect(cluster.node('d').role).toBe('follower');
    cluster.tick(3 * ELECTION_TICKS, ['b', 'c']);
    expect(asked).toEqual([]);
  });

  it('answers when it was promoted and does not know yet, so that the others can elect', () => {
    const { cluster, leader } = withLearner(['a']);
    cluster.lost = ({ type, to, from }) => to === 'd' && from === 'a' && type === 'append';
    cluster.join('b');
    change(leader, add('b'));
    cluster.tick(4);
    expect(cluster.node('d').membership).toEqual({ voters: ['a'], learners: ['d'] });
    const question = { from: 'b', to: 'd', term: 9, lastIndex: 99, lastTerm: 8, commit: 5, commitTerm: 0 } as const;
    cluster.node('d').step({ type: 'pre-vote', ...question });
    cluster.work('d');
    expect(cluster.wire).toMatchObject([{ type: 'pre-vote-reply', from: 'd', to: 'b', term: 1, granted: false }]);
    cluster.wire = [];
    cluster.lost = () => true;
    cluster.tick(ELECTION_TICKS, ['d']);
    cluster.reconnect();
    cluster.node('d').step({ type: 'vote', ...question, handover: false });
    cluster.work('d');
    expect(cluster.wire).toMatchObject([{ type: 'vote-reply', from: 'd', to: 'b', term: 9, granted: true }]);
  });

  it('counts once it is promoted', () => {
    const { cluster, leader } = withLearner();
    change(leader, add('d'));
    cluster.settle();
    cluster.cutOff('b', 'c');
    leader.propose('x');
    cluster.settle();
    expect(leader.commitIndex).toBe(leader.lastIndex - 1);
    cluster.reconnect();
    cluster.lost = ({ to }) => to === 'c';
    cluster.tick(4);
    expect(leader.commitIndex).toBe(leader.lastIndex);
  });
});

describe('a joint configuration', () => {
  function joint() {
    const made = group();
    const { cluster, leader } = made;
    for (const id of ['d', 'e']) {
      cluster.join(id);
      change(leader, learn(id));
      cluster.tick(4);
    }
    expect(change(leader, add('d'), add('e'), remove('b'), learn('c'))).toMatchObject({ ok: true });
    cluster.settle();
    return made;
  }

  it.each([
    [['d', 'e'], 0],
    [['b', 'c'], 0],
    [['b', 'd'], 1],
  ])('without %j commits %d of one entry: it takes a majority of both halves', (missing, committed) => {
    const { cluster, leader } = joint();
    const before = leader.commitIndex;
    cluster.cutOff(...missing);
    leader.propose('x');
    cluster.tick(4);
    expect(leader.commitIndex).toBe(before + committed);
  });

  it.each([[['d', 'e']], [['b', 'c']]])('keeps neither lease nor reign without %j', (missing) => {
    const { cluster, leader } = joint();
    cluster.tick(4);
    expect(leader.leaseValid()).toBe(true);
    cluster.cutOff(...missing);
    cluster.tick(ELECTION_TICKS + 1);
    expect(leader.readIndex()).toBeNull();
    expect(leader.role).toBe('follower');
  });

  it.each([
    [['c', 'd', 'e'], false],
    [['b', 'c', 'd'], false],
    [['b', 'c', 'd', 'e'], true],
  ])('elects by %j alone: %s', (alive, elected) => {
    const { cluster } = joint();
    cluster.tick(2);
    cluster.lost = ({ from, to }) => !(alive.includes(from) && alive.includes(to));
    cluster.tick(6 * ELECTION_TICKS, alive);
    expect(alive.some((id) => cluster.node(id).role === 'leader')).toBe(elected);
  });

  it('is left by an empty change: removed voters go, demoted ones learn', () => {
    const { cluster, leader } = joint();
    expect(change(leader, learn('f'))).toEqual({ ok: false, reason: 'joint' });
    change(leader);
    cluster.tick(4);
    const left = { voters: ['a', 'd', 'e'], learners: ['c'] };
    expect(['a', 'c', 'd', 'e'].map((id) => cluster.node(id).membership)).toEqual([left, left, left, left]);
    expect([...leader.progress().keys()].sort()).toEqual(['c', 'd', 'e']);
    expect(change(leader)).toEqual({ ok: false, reason: 'not-joint' });
  });

  it('is not handed to a voter of the old half only', () => {
    const { leader } = joint();
    expect(leader.transferLeader('b')).toEqual({ ok: false, reason: 'not-voter' });
    expect(leader.transferLeader('d')).toEqual({ ok: true });
  });
});

describe('a leader that is removed', () => {
  it('leads until that is committed, tells the others and steps down', () => {
    const { cluster, leader } = group();
    cluster.cutOff('b', 'c');
    change(leader, remove('a'));
    cluster.settle();
    expect(leader.role).toBe('leader');
    cluster.reconnect();
    cluster.tick(2);
    expect(leader).toMatchObject({ role: 'follower', leader: null, membership: { voters: ['b', 'c'] } });
    expect(cluster.node('b').membership).toEqual({ voters: ['b', 'c'] });
    cluster.tick(3 * ELECTION_TICKS);
    expect(leader.role).toBe('follower');
    expect(['b', 'c'].some((id) => cluster.node(id).role === 'leader')).toBe(true);
  });

  it('steps down as well when it is demoted', () => {
    const { cluster, leader } = group();
    change(leader, learn('a'));
    cluster.settle();
    expect(leader).toMatchObject({ role: 'follower', membership: { voters: ['b', 'c'], learners: ['a'] } });
  });

  it('goes on in a joint configuration as long as it votes in the old half', () => {
    const { cluster, leader } = group();
    cluster.join('d');
    change(leader, remove('a'), add('d'));
    cluster.tick(4);
    expect(leader).toMatchObject({ role: 'leader', membership: { voters: ['b', 'c', 'd'], outgoing: THREE } });
    change(leader);
    cluster.settle();
    expect(leader).toMatchObject({ role: 'follower', membership: { voters: ['b', 'c', 'd'] } });
  });
});

describe('a member behind', () => {
  it('hears of its promotion from those who were removed, although their logs are longer than its own', () => {
    const { cluster, leader } = group(['a', 'b']);
    cluster.join('d');
    change(leader, learn('d'));
    cluster.tick(4);
    change(leader, add('d'), remove('a'), remove('b'));
    cluster.tick(4);
    change(leader);
    cluster.work('a');
    leader.propose('x');
    // `d` gets the entry that leaves its group to it alone, and nothing after it.
    cluster.lost = ({ to, type }) => to === 'd' && type !== 'append';
    cluster.deliver(cluster.wire.splice(0));
    cluster.lost = ({ to }) => to === 'd';
    cluster.settle();
    expect(leader).toMatchObject({ role: 'follower', membership: { voters: ['d'] } });
    expect(cluster.node('d').membership).toMatchObject({ outgoing: ['a', 'b'] });
    expect(leader.lastIndex).toBeGreaterThan(cluster.node('d').lastIndex);
    cluster.reconnect();
    cluster.tick(4 * ELECTION_TICKS);
    expect(cluster.node('d')).toMatchObject({ role: 'leader', membership: { voters: ['d'] } });
  });

  it('does not stand for election before it has applied a change that it knows to be committed', () => {
    const { cluster, leader } = group();
    change(leader, remove('c'));
    cluster.settle();
    const b = cluster.node('b');
    cluster.restart('b');
    expect(b.membership).toEqual({ voters: ['a', 'b'] });
    const again = cluster.node('b');
    for (let tick = 0; tick < 3 * ELECTION_TICKS; tick += 1) again.tick();
    expect(again.role).toBe('follower');
    cluster.settle();
    expect(again.membership).toEqual({ voters: ['a', 'b'] });
    for (let tick = 0; tick < 2 * ELECTION_TICKS; tick += 1) again.tick();
    expect(again.role).toBe('pre-candidate');
  });

  it('gives up a transfer to a member that a change took out', () => {
    const { cluster, leader } = group();
    cluster.cutOff('c');
    change(leader, remove('c'));
    leader.transferLeader('c');
    cluster.settle();
    expect(leader.membership).toEqual({ voters: ['a', 'b'] });
    expect(leader.propose('x')).toMatchObject({ ok: true });
  });
});
