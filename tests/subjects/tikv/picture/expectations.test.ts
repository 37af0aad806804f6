import { describe, expect, it } from '@jest/globals';
import { expectationsOf } from '../../../../subjects/tikv/picture/expectations.js';
import type { TikvPicture } from '../../../../subjects/tikv/picture.js';
import {
  died,
  fact,
  healthy,
  justKilled,
  leadership,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  secondsAgo,
  withPd,
  withStore,
} from '../pictures.js';

const kinds = (picture: TikvPicture) => expectationsOf(picture).map(({ kind, target }) => `${kind} ${target ?? '-'}`);
const withCounts = (counts: readonly { leaders: number; leaderScore: number }[]) =>
  counts.reduce<TikvPicture>(
    (picture, count, i) => withStore(picture, `tikv-${i}`, { pd: pdStore(String(i + 1), count) }),
    healthy(),
  );

describe('what is as it should be', () => {
  it('is nothing in a healthy cluster, after a crash, and while PD cannot be read', () => {
    for (const picture of [healthy(), justKilled(), pdUnreadable()]) expect(expectationsOf(picture)).toEqual([]);
  });

  it('is a member that was stopped by request, with its name', () => {
    const stopped = died({ stoppedByRequest: true, exitCode: 0, signal: null });
    const store = withStore(healthy(), 'tikv-2', { reach: REFUSED, witness: stopped });
    expect(expectationsOf(store)).toEqual([
      { kind: 'planned-stop', target: 'tikv-2', reason: 'tikv-2 exited 0, stopped by request' },
    ]);
    expect(kinds(withPd(store, 'pd-0', { witness: stopped }))).toEqual(['planned-stop tikv-2', 'planned-stop pd-0']);
    expect(kinds(withStore(healthy(), 'tikv-2', { witness: nothing }))).toEqual([]);
  });

  it('is a PD that schedules nothing yet because its leader has just started; that excuses no member', () => {
    const young = (seconds: number) => withPd(healthy(), 'pd-1', { startedAt: fact(secondsAgo(seconds)) });
    expect(expectationsOf(young(40))).toEqual([
      {
        kind: 'cold-start',
        target: null,
        reason: "PD's leader pd-1 started 40 s ago; PD schedules nothing for up to 60 s",
      },
    ]);
    expect(kinds(young(61))).toEqual([]);
    expect(kinds({ ...young(299), profile: 'real' })).toEqual(['cold-start -']);
    expect(kinds({ ...young(301), profile: 'real' })).toEqual([]);
    // Another member that has just started follows a leader that knows everything.
    expect(kinds(withPd(healthy(), 'pd-0', { startedAt: fact(secondsAgo(5)) }))).toEqual([]);
    expect(kinds(healthy({ leadership: leadership({ leader: null }) }))).toEqual([]);
  });

  it('are uneven counts whose scores are equal, and only those', () => {
    const weighted = [2, 14, 8, 8].map((leaders) => ({ leaders, leaderScore: 8 }));
    expect(expectationsOf(withCounts(weighted))).toEqual([
      {
        kind: 'even-by-score',
        target: null,
        reason: "leaders per store range from 2 to 14, and PD's scores of them are equal",
      },
    ]);
    expect(kinds(withCounts([2, 14, 8, 8].map((leaders) => ({ leaders, leaderScore: leaders }))))).toEqual([]);
    expect(kinds(withCounts([4, 8, 8, 8].map((leaders) => ({ leaders, leaderScore: 8 }))))).toEqual([]);
    const silent = { pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(11) }) };
    expect(kinds(withStore(withCounts(weighted), 'tikv-2', silent))).toEqual([]);
  });
});
