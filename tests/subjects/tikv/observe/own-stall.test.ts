import { describe, expect, it } from '@jest/globals';
import { INVARIANTS } from '../../../../subjects/tikv/invariants.js';
import { withoutOwnStall } from '../../../../subjects/tikv/observe/own-stall.js';
import { startStallWatch } from '../../../../subjects/tikv/observe/stall-watch.js';
import type { TikvPicture } from '../../../../subjects/tikv/picture.js';
import { until } from '../../../support/until.js';
import { fact, healthy, justKilled, nothing, pdUnreadable, reach, withPd, withStore } from '../pictures.js';

const SILENT = reach({ kind: 'silent', afterMs: 900, connected: true });

const seenAfter = (picture: TikvPicture, lostMs: number): TikvPicture => ({
  ...picture,
  vitals: withoutOwnStall(picture.vitals, { lostMs, requestMs: 900 }),
});

const broken = (picture: TikvPicture) =>
  INVARIANTS.map((invariant) => invariant.check(picture)).flatMap((check) =>
    check.broken.map(({ target }) => `${check.invariant} ${target ?? '-'}`),
  );

describe('a process that stood still itself', () => {
  const frozen = withStore(healthy(), 'tikv-1', { reach: SILENT });

  it('does not take its own delay for the silence of a store', () => {
    expect(broken(seenAfter(frozen, 100))).toEqual(['store-reachable tikv-1']);
    expect(broken(seenAfter(frozen, 400))).toEqual([]);
    expect(seenAfter(frozen, 400).vitals.stores[1]!.reach).toMatchObject({
      known: false,
      reason: 'Medic itself stood still for 400 ms meanwhile',
    });
  });

  it('still believes a refused connection', () => {
    expect(broken(seenAfter(justKilled(), 400))).toEqual(['store-reachable tikv-2']);
  });

  it('does not conclude that PD has no quorum from members that it may have failed to ask', () => {
    const blind = ['pd-0', 'pd-1', 'pd-2'].reduce(
      (picture, name) => withPd(picture, name, { reach: SILENT, quorum: nothing }),
      healthy({ leadership: nothing }),
    );
    expect(broken(seenAfter(blind, 100))).toContain('pd-quorum pd');
    expect(broken(seenAfter(blind, 400))).toEqual([]);
    expect(broken(seenAfter(pdUnreadable(), 400))).toEqual(['pd-quorum pd']);
  });

  it('does not count what its own probe gave up meanwhile', () => {
    const probe = fact({ regionsOk: 20, regionsFailed: 4, errors: {}, p50Ms: 2, p99Ms: 9, byStore: {} });
    expect(broken(seenAfter(healthy({ probe }), 400))).toEqual([]);
  });
});

describe('the stall watch', () => {
  it('counts the time in which the loop stood still, while it does and afterwards', async () => {
    const stalls = startStallWatch();
    const then = performance.now();
    await until('the timer has ticked', () => (performance.now() - then > 60 ? true : undefined));
    const blockedAt = performance.now();
    while (performance.now() - blockedAt < 300);
    expect(stalls.lostSince(blockedAt)).toBeGreaterThan(200);
    await until('the late tick came', () => (performance.now() - blockedAt > 360 ? true : undefined));
    expect(stalls.lostSince(blockedAt)).toBeGreaterThan(200);
    stalls.close();
  });

  it('forgets what was lost before the time that is asked for', async () => {
    const stalls = startStallWatch();
    const blockedAt = performance.now();
    while (performance.now() - blockedAt < 300);
    const later = await until('a calm moment', () => {
      const now = performance.now();
      return now - blockedAt > 400 ? now : undefined;
    });
    expect(stalls.lostSince(blockedAt) - stalls.lostSince(later)).toBeGreaterThan(200);
    stalls.close();
  });
});
