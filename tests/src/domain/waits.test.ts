import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { later, momentsAhead } from '../../../src/domain/waits.js';

const SINCE = '2026-01-02T03:00:00.000Z';
const minutes = (n: number) => later(SINCE, n * 60_000);
const rung = (after: number, ...tell: string[]) => ({ afterMs: after * 60_000, tell });

describe('what happens if nobody answers', () => {
  it('is a reminder, then the rungs of the chain, then the expiry', () => {
    expect(
      momentsAhead({
        since: SINCE,
        remindAt: minutes(10),
        expiresAt: minutes(30),
        chain: [rung(5, 'pager'), rung(15, 'boss', 'pager')],
      }),
    ).toEqual([
      { what: 'tell', at: minutes(5), who: ['pager'] },
      { what: 'remind', at: minutes(10) },
      { what: 'tell', at: minutes(15), who: ['boss', 'pager'] },
      { what: 'expire', at: minutes(30) },
    ]);
  });

  it('has no expiry where a ticket waits as long as it takes', () => {
    expect(momentsAhead({ since: SINCE, remindAt: minutes(10), expiresAt: null, chain: [rung(60, 'boss')] })).toEqual([
      { what: 'remind', at: minutes(10) },
      { what: 'tell', at: minutes(60), who: ['boss'] },
    ]);
  });

  it('is in order, always goes on, and has nothing after the expiry', () => {
    const time = fc.integer({ min: 0, max: 100 });
    const waiting = fc.record({
      remind: time,
      expire: fc.option(time),
      chain: fc.array(fc.tuple(time, fc.constant('pager')), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(waiting, ({ remind, expire, chain }) => {
        const ahead = momentsAhead({
          since: SINCE,
          remindAt: minutes(remind),
          expiresAt: expire === null ? null : minutes(expire),
          chain: chain.map(([after, name]) => rung(after, name)),
        });
        expect(ahead.length).toBeGreaterThan(0);
        const times = ahead.map(({ at }) => at);
        expect(times).toEqual([...times].sort());
        expect(ahead.findIndex(({ what }) => what === 'expire')).toBe(expire === null ? -1 : ahead.length - 1);
      }),
    );
  });
});
