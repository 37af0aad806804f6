import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Electorate } from '../../../../../subjects/tikv/lab/raft/electorate.js';
import { changeMembership, isJoint, membersOf, roleIn } from '../../../../../subjects/tikv/lab/raft/membership.js';
import type { ChangeStep, Membership, NodeId } from '../../../../../subjects/tikv/lab/raft/types.js';

const add = (id: NodeId): ChangeStep => ({ kind: 'add-voter', id });
const learn = (id: NodeId): ChangeStep => ({ kind: 'add-learner', id });
const remove = (id: NodeId): ChangeStep => ({ kind: 'remove', id });

function change(membership: Membership, ...steps: ChangeStep[]): Membership {
  const outcome = changeMembership(membership, steps);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.membership;
}

const step = fc.record({
  kind: fc.constantFrom<ChangeStep['kind']>('add-voter', 'add-learner', 'remove'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
});
const changes = fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 });

/** Every configuration on the way, refused changes left out. */
function walk(all: ChangeStep[][]): Membership[] {
  const way: Membership[] = [{ voters: ['a', 'b', 'c'] }];
  for (const steps of all) {
    const outcome = changeMembership(way.at(-1)!, steps);
    if (outcome.ok) way.push(outcome.membership);
  }
  return way;
}

function subsets(ids: readonly NodeId[]): NodeId[][] {
  const numbers = Array.from({ length: 2 ** ids.length }, (_, number) => number);
  return numbers.map((number) => ids.filter((_, at) => (number >> at) & 1));
}

/** The sets that win an election. */
function quorums(membership: Membership): NodeId[][] {
  const electorate = new Electorate(membership);
  const wins = (set: NodeId[]) => electorate.tally(new Map(set.map((id) => [id, true]))) === 'won';
  return subsets(membersOf(membership)).filter(wins);
}

describe('a configuration', () => {
  it('changes by one member at once', () => {
    const three = { voters: ['a', 'b', 'c'] };
    expect(change(three, learn('d'))).toEqual({ voters: ['a', 'b', 'c'], learners: ['d'] });
    expect(change(change(three, learn('d')), add('d'))).toEqual({ voters: ['a', 'b', 'c', 'd'] });
    expect(change(three, remove('b'))).toEqual({ voters: ['a', 'c'] });
    expect(change(three, learn('b'))).toEqual({ voters: ['a', 'c'], learners: ['b'] });
  });

  it('is joint while several members change, and a demoted voter votes in the old half until it is left', () => {
    const joint = change({ voters: ['a', 'b', 'c'], learners: ['d'] }, add('d'), learn('c'), remove('b'));
    expect(joint).toEqual({ voters: ['a', 'd'], outgoing: ['a', 'b', 'c'], learnersNext: ['c'] });
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => roleIn(joint, id))).toEqual([
      'voter',
      'leaving-voter',
      'demoting-voter',
      'incoming-voter',
      null,
    ]);
    expect(membersOf(joint)).toEqual(['a', 'd', 'b', 'c']);
    expect(change(joint)).toEqual({ voters: ['a', 'd'], learners: ['c'] });
  });

  it.each([
    ['joint', { voters: ['a'], outgoing: ['b'] }, [add('c')]],
    ['not-joint', { voters: ['a'] }, []],
    ['no-effect', { voters: ['a'] }, [remove('b')]],
    ['no-effect', { voters: ['a'], learners: ['b'] }, [learn('b'), add('c')]],
    ['repeated-member', { voters: ['a'] }, [add('b'), remove('b')]],
    ['no-voter-left', { voters: ['a'] }, [learn('a')]],
    ['no-voter-left', { voters: ['a', 'b'] }, [remove('a'), learn('b')]],
  ])('refuses as %s a change of %j by %j', (reason, membership, steps) => {
    expect(changeMembership(membership, steps)).toEqual({ ok: false, reason });
  });

  it('shares a member of every majority with the one before and the one after', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const way = walk(all).map(quorums);
        way.slice(1).forEach((quorum, at) => {
          for (const old of way[at]!) for (const next of quorum) expect(old.some((id) => next.includes(id))).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('never makes anyone voter and learner at once, nor loses its last voter', () => {
    fc.assert(
      fc.property(changes, (all) => {
        for (const membership of walk(all)) {
          const { voters, outgoing = [], learners = [], learnersNext = [] } = membership;
          expect(voters.length).toBeGreaterThan(0);
          expect([...voters, ...outgoing].filter((id) => learners.includes(id))).toEqual([]);
          expect(learnersNext.filter((id) => voters.includes(id) || !outgoing.includes(id))).toEqual([]);
          expect(isJoint(membership) || learnersNext.length === 0).toBe(true);
        }
      }),
    );
  });
});

describe('counting', () => {
  it('takes what a majority of both halves reaches, and no learner', () => {
    const electorate = new Electorate({ voters: ['a', 'd', 'e'], outgoing: ['a', 'b', 'c'], learners: ['l'] });
    const reached: Record<NodeId, number> = { a: 9, d: 8, e: 7, b: 3, c: 2, l: 9 };
    expect(electorate.agreed((id) => reached[id] ?? 0)).toBe(3);
  });

  it('wins with a majority of both halves, and loses as soon as one half cannot be won', () => {
    const electorate = new Electorate({ voters: ['a', 'd', 'e'], outgoing: ['a', 'b', 'c'], learners: ['l'] });
    const tally = (yes: NodeId[], no: NodeId[]) =>
      electorate.tally(new Map([...yes.map((id) => [id, true] as const), ...no.map((id) => [id, false] as const)]));
    expect(tally(['a', 'd', 'e', 'l'], [])).toBe('open');
    expect(tally(['a', 'd', 'c'], [])).toBe('won');
    expect(tally(['a', 'd', 'e'], ['b', 'c'])).toBe('lost');
  });

  it('is the plain majority of the only half when nothing changes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 7 }), (values) => {
        const electorate = new Electorate({ voters: values.map((_, at) => `${at}`) });
        const least = electorate.agreed((id) => values[Number(id)]!);
        const holders = values.filter((value) => value >= least).length;
        const more = values.filter((value) => value > least).length;
        expect(2 * holders > values.length && 2 * more <= values.length).toBe(true);
      }),
    );
  });
});
