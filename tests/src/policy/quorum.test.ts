import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Verdict } from '../../../src/domain/reading.js';
import { liesWithin } from '../../../src/policy/impaired.js';
import { askQuorum, type QuorumAnswer, tightest } from '../../../src/policy/quorum.js';
import type { QuorumPicture } from '../../../src/policy/quorum-picture.js';
import { cluster, group, member, NOW, SEEN_AT } from './cluster.js';

const takeAway = (picture: QuorumPicture, ...victims: string[]): QuorumAnswer =>
  askQuorum({ picture, influence: { touches: victims, takesAway: victims }, now: NOW, maxPictureAgeMs: 5_000 });

const touch = (picture: QuorumPicture, ...touches: string[]): QuorumAnswer =>
  askQuorum({ picture, influence: { touches, takesAway: [] }, now: NOW, maxPictureAgeMs: 5_000 });

describe('the quorum kernel', () => {
  it('lets one member go while nothing is impaired and every group is at full strength', () => {
    expect(takeAway(cluster(), 'tikv-2')).toEqual({
      kind: 'holds',
      reason: 'nothing is impaired and every group is at full strength',
    });
  });

  it('names the group, its need, its members and why one is not live', () => {
    const picture = cluster([member('tikv-2', 'no', 'Disconnected (11 s)')]);
    expect(takeAway(picture, 'tikv-1')).toEqual({
      kind: 'broken',
      reason: 'group region-14 needs 2 of {tikv-1, tikv-2, tikv-3}; tikv-2 is Disconnected (11 s), so 1 would stay',
    });
  });

  it("does not repeat the member's name when the subject's words hold it", () => {
    const picture = cluster([member('tikv-2', 'no', 'tikv-2 does not answer (timed out)')]);
    expect(takeAway(picture, 'tikv-1').reason).toContain('; tikv-2 does not answer (timed out), so 1 would stay');
  });

  it('does not count a pending peer as a live voter', () => {
    const picture = cluster([], { groups: [group('region-14', ['tikv-1', 'tikv-2', 'tikv-3'], ['tikv-3'])] });
    expect(takeAway(picture, 'tikv-1')).toEqual({
      kind: 'broken',
      reason: 'group region-14 needs 2 of {tikv-1, tikv-2, tikv-3}; tikv-3 holds no current copy, so 1 would stay',
    });
  });

  it('does not count unknown liveness as live, and calls it unproven rather than harmful', () => {
    expect(takeAway(cluster([member('tikv-3', 'unknown')]), 'tikv-1')).toEqual({
      kind: 'unproven',
      reason:
        'group region-14 needs 2 of {tikv-1, tikv-2, tikv-3}; it is not known whether tikv-3 is alive, so 1 would stay',
    });
  });

  it('does not count a voter that the picture does not list', () => {
    const picture = cluster([], { groups: [group('region-14', ['tikv-1', 'tikv-2', 'tikv-9'])] });
    expect(takeAway(picture, 'tikv-1')).toMatchObject({ kind: 'unproven' });
  });

  it('acts on no second member while one is impaired, even where every group would keep its majority', () => {
    const picture = cluster([member('pd-0', 'no', 'exited (137)')]);
    expect(takeAway(picture, 'tikv-1')).toEqual({
      kind: 'broken',
      reason: 'pd-0 is exited (137); tikv-1 must wait until it is back',
    });
    expect(touch(picture, 'tikv-1')).toMatchObject({ kind: 'broken' });
  });

  it('acts on the impaired member itself', () => {
    const picture = cluster([member('tikv-1', 'no', 'paused')]);
    expect(touch(picture, 'tikv-1')).toEqual({ kind: 'holds', reason: 'every group keeps its majority' });
    expect(takeAway(picture, 'tikv-1')).toMatchObject({ kind: 'holds' });
  });

  it('calls it unproven when it is not known whether another member is in order', () => {
    expect(touch(cluster([member('tikv-4', 'unknown')]), 'tikv-1')).toEqual({
      kind: 'unproven',
      reason: 'tikv-4 is perhaps not alive; tikv-1 must wait until it is back',
    });
  });

  it('takes away one member at a time', () => {
    const picture = cluster([], { groups: [] });
    expect(takeAway(picture, 'tikv-1', 'tikv-2')).toEqual({
      kind: 'broken',
      reason: 'it takes away tikv-1 and tikv-2 at once; one at a time',
    });
  });

  it('proves nothing on a picture with a gap, on an old one, one of the future, or of an unknown member', () => {
    expect(takeAway(cluster([], { gap: 'PD unreadable: refused' }), 'tikv-1')).toEqual({
      kind: 'unproven',
      reason: 'PD unreadable: refused',
    });
    expect(takeAway(cluster([], { observedAt: '2026-01-01T00:00:04.000Z' }), 'tikv-1')).toEqual({
      kind: 'unproven',
      reason: 'the picture is 6000 ms old, more than 5000 ms',
    });
    expect(takeAway(cluster([], { observedAt: '2026-01-01T00:01:00.000Z' }), 'tikv-1').kind).toBe('unproven');
    expect(takeAway(cluster([], { observedAt: 'soon' }), 'tikv-1').kind).toBe('unproven');
    expect(takeAway(cluster(), 'store-5')).toEqual({
      kind: 'unproven',
      reason: 'the picture knows no member store-5, which would be taken away',
    });
  });

  it('knows the tightest group', () => {
    expect(tightest(cluster(), [])).toEqual({ group: 'pd', live: 3, voters: 3, need: 2, spare: 1 });
    expect(tightest(cluster(), ['tikv-4'])).toMatchObject({ group: 'region-15', live: 2, spare: 0 });
  });

  it('tells what lies within what', () => {
    expect(liesWithin('tikv-1', 'tikv-1', cluster())).toBe(true);
    expect(liesWithin('pd-0', 'pd', cluster())).toBe(true);
    expect(liesWithin('tikv-1', 'cluster', cluster())).toBe(true);
    expect(liesWithin('tikv-1', 'region-14', cluster([], { groups: cluster().groups }))).toBe(true);
    expect(liesWithin('tikv-2', 'region-14', cluster())).toBe(false);
    expect(liesWithin('tikv-2', 'tikv-1', cluster())).toBe(false);
    expect(liesWithin('pd', 'pd-0', cluster())).toBe(false);
  });
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const verdict = fc.constantFrom<Verdict>('yes', 'yes', 'yes', 'no', 'unknown');

const anyPicture: fc.Arbitrary<QuorumPicture> = fc.record({
  observedAt: fc.constant(SEEN_AT),
  gap: fc.constant(null),
  members: fc.tuple(
    ...NAMES.map((id) =>
      fc.record({ id: fc.constant(id), alive: verdict, impaired: fc.constantFrom(null, null, null, 'paused') }),
    ),
  ),
  groups: fc.array(
    fc
      .record({ voters: fc.subarray(NAMES, { minLength: 1 }), behind: fc.subarray(NAMES, { maxLength: 1 }) })
      .map(({ voters, behind }) => group(`g-${voters.join('')}`, voters, behind)),
    { maxLength: 4 },
  ),
});

const victim = fc.constantFrom(...NAMES);

/** Counted anew, without the kernel. */
const liveLeft = (picture: QuorumPicture, gone: string): number[] =>
  picture.groups.map(
    ({ voters, behind, need }) =>
      voters.filter(
        (voter) =>
          voter !== gone &&
          !behind.includes(voter) &&
          picture.members.some(({ id, alive }) => id === voter && alive === 'yes'),
      ).length - need,
  );

describe('whatever the cluster looks like', () => {
  it('never lets a takeaway leave a group below its need, or touch a second member', () => {
    fc.assert(
      fc.property(anyPicture, victim, (picture, gone) => {
        if (takeAway(picture, gone).kind !== 'holds') return;
        expect(Math.min(0, ...liveLeft(picture, gone))).toBe(0);
        const others = picture.members.filter(({ id }) => id !== gone);
        expect(others.every(({ alive, impaired }) => alive === 'yes' && impaired === null)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses only what would break a majority or touch a second member', () => {
    fc.assert(
      fc.property(anyPicture, victim, (picture, gone) => {
        if (takeAway(picture, gone).kind === 'holds') return;
        const others = picture.members.filter(({ id }) => id !== gone);
        const isWhole = others.every(({ alive, impaired }) => alive === 'yes' && impaired === null);
        expect(isWhole && liveLeft(picture, gone).every((spare) => spare >= 0)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('never turns a permission into a refusal when one more member is well', () => {
    const order = ['broken', 'unproven', 'holds'];
    fc.assert(
      fc.property(anyPicture, victim, victim, (picture, gone, healed) => {
        const members = picture.members.map((one) => (one.id === healed ? member(healed) : one));
        const before = order.indexOf(takeAway(picture, gone).kind);
        expect(order.indexOf(takeAway({ ...picture, members }, gone).kind)).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
