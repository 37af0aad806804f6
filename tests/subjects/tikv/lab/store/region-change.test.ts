import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changeMembership, roleIn } from '../../../../../subjects/tikv/lab/raft/membership.js';
import type { Membership } from '../../../../../subjects/tikv/lab/raft/types.js';
import type { PeerRole, RegionMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import { changedRegion, type PeerChange, planChange } from '../../../../../subjects/tikv/lab/store/region-change.js';

const founded: RegionMeta = {
  id: 10,
  startKey: '',
  endKey: '',
  confVer: 3,
  version: 24,
  peers: [1, 2, 3].map((storeId) => ({ id: 10 + storeId, storeId, role: 'Voter' as const })),
};
const founders: Membership = { voters: ['11', '12', '13'] };

interface Region {
  readonly meta: RegionMeta;
  readonly membership: Membership;
}

const change = (kind: PeerChange['kind'], id: number, storeId: number): PeerChange => ({ kind, peer: { id, storeId } });

/** What the region is after PD's wish, or why it stays as it is. */
function make({ meta, membership }: Region, changes: readonly PeerChange[], leader = 11): Region | string {
  const plan = planChange({ meta, leader, changes });
  if (!plan.ok) return plan.why;
  const { steps, data } = plan.change;
  const outcome = changeMembership(membership, steps);
  if (!outcome.ok) return outcome.reason;
  const entry = { term: 1, index: 9, data, change: steps };
  return { meta: changedRegion(meta, entry, outcome.membership), membership: outcome.membership };
}

function inOrder(region: Region, ...wishes: PeerChange[][]): string[] {
  let at = region;
  return wishes.map((wish) => {
    const next = make(at, wish);
    if (typeof next === 'string') return next;
    at = next;
    return `${at.meta.confVer} ${at.meta.peers.map(({ storeId, role }) => `${storeId}:${role}`).join(' ')}`;
  });
}

const start: Region = { meta: founded, membership: founders };

describe('a change of the members of a region', () => {
  it('moves a voter with a joint configuration, six steps of the epoch in all, as PD counts them', () => {
    expect(
      inOrder(
        start,
        [change('add-learner', 107, 4)],
        [change('add-voter', 107, 4), change('add-learner', 13, 3)],
        [],
        [change('remove', 13, 3)],
      ),
    ).toEqual([
      '4 1:Voter 2:Voter 3:Voter 4:Learner',
      '6 1:Voter 2:Voter 3:DemotingVoter 4:IncomingVoter',
      '8 1:Voter 2:Voter 3:Learner 4:Voter',
      '9 1:Voter 2:Voter 4:Voter',
    ]);
  });

  it('moves a voter with single steps', () => {
    expect(
      inOrder(start, [change('add-learner', 107, 4)], [change('add-voter', 107, 4)], [change('remove', 13, 3)]),
    ).toEqual([
      '4 1:Voter 2:Voter 3:Voter 4:Learner',
      '5 1:Voter 2:Voter 3:Voter 4:Voter',
      '6 1:Voter 2:Voter 4:Voter',
    ]);
  });

  it.each<[string, PeerChange[], string]>([
    ['removes the leader', [change('remove', 11, 1)], 'ignore remove leader'],
    ['makes the leader a learner at once', [change('add-learner', 11, 1)], 'ignore demote leader'],
    ['puts a second peer on a store', [change('add-learner', 107, 2)], 'store has a peer already'],
    ['knows a peer on another store', [change('add-learner', 12, 4)], 'peer is on another store'],
    [
      'removes a voter in a joint configuration',
      [change('add-voter', 107, 4), change('remove', 13, 3)],
      'can not remove voter directly',
    ],
    [
      'changes one store twice',
      [change('add-learner', 107, 4), change('add-learner', 207, 4)],
      'multiple changes of one store',
    ],
    [
      'enters a joint configuration for learners only',
      [change('add-learner', 107, 4), change('add-learner', 108, 5)],
      'no voter would change',
    ],
    ['leaves no joint configuration', [], 'not-joint'],
    ['removes nobody', [change('remove', 99, 4)], 'no-effect'],
  ])('is refused when it %s', (_, changes, why) => {
    expect(make(start, changes)).toBe(why);
  });

  it('does not leave a joint configuration that makes the leader a learner', () => {
    const joint = make(start, [change('add-learner', 11, 1), change('add-learner', 12, 2)]) as Region;
    expect(joint.meta.peers[0]).toMatchObject({ role: 'DemotingVoter' });
    expect(make(joint, [])).toBe('ignore leave joint command that demoting leader');
    expect(make(joint, [], 13)).toMatchObject({ meta: { confVer: 7 } });
  });

  it("leaves roles that are Raft's own, one peer on a store, and an epoch that only rises", () => {
    const roles: Record<string, PeerRole> = {
      voter: 'Voter',
      learner: 'Learner',
      'incoming-voter': 'IncomingVoter',
      'demoting-voter': 'DemotingVoter',
    };
    const wish = fc.record({
      kind: fc.constantFrom('add-voter' as const, 'add-learner' as const, 'remove' as const),
      storeId: fc.integer({ min: 1, max: 5 }),
      generation: fc.constantFrom(10, 20),
    });
    const wishes = fc.array(fc.array(wish, { maxLength: 3 }), { maxLength: 20 });
    fc.assert(
      fc.property(wishes, fc.integer({ min: 11, max: 13 }), (sequence, leader) => {
        let region = start;
        for (const step of sequence) {
          const changes = step.map(({ kind, storeId, generation }) => change(kind, generation + storeId, storeId));
          const next = make(region, changes, leader);
          if (typeof next === 'string') continue;
          expect(next.meta.confVer).toBeGreaterThan(region.meta.confVer);
          region = next;
          const { meta, membership } = region;
          for (const { id, role } of meta.peers) expect(roles[roleIn(membership, String(id))!]).toBe(role);
          const listed = new Set(meta.peers.map(({ id }) => String(id)));
          const inForce = [...membership.voters, ...(membership.outgoing ?? []), ...(membership.learners ?? [])];
          expect(listed).toEqual(new Set(inForce));
        }
      }),
    );
  });
});
