import { describe, expect, it } from '@jest/globals';
import { INVARIANTS } from '../../../subjects/tikv/invariants.js';
import { summaryOf } from '../../../subjects/tikv/picture/summary.js';
import type { ScoreRise, TikvPicture, Vitals } from '../../../subjects/tikv/picture.js';
import {
  fact,
  healthy,
  justKilled,
  leadership,
  limits,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  reach,
  secondsAgo,
  withPd,
  withStore,
  witness,
} from './pictures.js';

const checks = (picture: TikvPicture) => INVARIANTS.map((invariant) => invariant.check(picture));
const check = (picture: TikvPicture, name: string) => checks(picture).find(({ invariant }) => invariant === name)!;

const broken = (picture: TikvPicture) =>
  checks(picture).flatMap((one) =>
    one.broken.map(({ target, message }) => `${one.invariant} ${target ?? '-'}: ${message}`),
  );

const unknown = (picture: TikvPicture) => checks(picture).flatMap((one) => (one.known ? [] : [one.invariant]));

const disconnected = (lastHeartbeat: string, changes = {}) =>
  pdStore('3', { state: 'Disconnected', lastHeartbeat, ...changes });

describe('the invariants of a healthy cluster', () => {
  it('all hold and all are known', () => {
    expect(broken(healthy())).toEqual([]);
    expect(unknown(healthy())).toEqual([]);
  });

  it('file everything but latency, balance, disk, missing peers and the signs that only watching tells', () => {
    expect(INVARIANTS.filter(({ use }) => use === 'files').map(({ name }) => name)).toEqual([
      'store-reachable',
      'store-up',
      'pd-members',
      'pd-quorum',
      'pd-leader',
      'regions-have-leader',
      'regions-no-down-peer',
      'regions-no-pending-peer',
      'probe-ok',
      'orders-as-shipped',
      'leaders-spread',
    ]);
  });
});

describe('a store', () => {
  it('that was just killed is unreachable while PD still calls it Up', () => {
    expect(broken(justKilled())).toEqual([
      'store-reachable tikv-2: tikv-2 does not answer on its status port (connection refused)',
    ]);
  });

  it('that is frozen is told apart by its words', () => {
    const silent = reach({ kind: 'silent', afterMs: 900, connected: true });
    expect(broken(withStore(healthy(), 'tikv-1', { reach: silent }))).toEqual([
      'store-reachable tikv-1: tikv-1 does not answer on its status port (connected, but no answer within 900 ms)',
    ]);
  });

  it('that PD calls Disconnected is not up', () => {
    expect(broken(withStore(healthy(), 'tikv-2', { pd: disconnected(secondsAgo(11)) }))).toEqual([
      'store-up tikv-2: tikv-2 is Disconnected (last heartbeat 11 s ago)',
    ]);
  });

  it('that is being removed or not listed is not up', () => {
    expect(broken(withStore(healthy(), 'tikv-2', { pd: pdStore('3', { state: 'Offline' }) }))).toEqual([
      'store-up tikv-2: tikv-2 is Offline: it is being removed',
    ]);
    expect(broken(withStore(healthy(), 'tikv-2', { pd: fact(null) }))).toEqual([
      'store-up tikv-2: PD does not list tikv-2',
    ]);
  });

  it('is not judged by a PD leader that took over less than one Disconnected time ago', () => {
    const young = healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(3) }) });
    const memory = disconnected(secondsAgo(190), { slowScore: null });
    expect(check(withStore(young, 'tikv-2', { pd: memory }), 'store-up')).toEqual({
      invariant: 'store-up',
      known: true,
      broken: [],
      unjudged: ['tikv-2'],
    });
    const old = healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(5) }) });
    expect(broken(withStore(old, 'tikv-2', { pd: memory }))).toHaveLength(1);
  });

  it('is judged by a leader that has heard of it, however young', () => {
    const young = healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(6) }) });
    expect(broken(withStore(young, 'tikv-2', { pd: disconnected(secondsAgo(5)) }))).toHaveLength(1);
  });

  it('is judged at the first look when its score shows that this leader has heard of it', () => {
    const first = healthy({ leadership: leadership({ seenSince: secondsAgo(0) }) });
    expect(broken(withStore(first, 'tikv-2', { pd: disconnected(secondsAgo(30)) }))).toHaveLength(1);
    expect(broken(withStore(first, 'tikv-2', { pd: disconnected(secondsAgo(30), { slowScore: null }) }))).toEqual([]);
  });

  it('that has just registered is not judged before its first heartbeat is due', () => {
    const joined = (seconds: number) =>
      withStore(healthy(), 'tikv-2', {
        pd: pdStore('3', { state: 'Down', lastHeartbeat: null, startedAt: secondsAgo(seconds) }),
      });
    expect(check(joined(3), 'store-up')).toMatchObject({ broken: [], unjudged: ['tikv-2'] });
    expect(broken(joined(5))).toEqual(['store-up tikv-2: tikv-2 is Down (no heartbeat ever)']);
  });
});

describe('PD', () => {
  it('that cannot be read is a violation of its own and makes everything drawn from it unknown', () => {
    const picture = pdUnreadable();
    expect(broken(picture)).toEqual([
      'pd-quorum pd: PD has no quorum: 0 of 3 see one, 2 are needed (pd-0 RAFT NO LEADER, pd-1 RAFT NO LEADER, pd-2 RAFT NO LEADER)',
    ]);
    expect(unknown(picture)).toEqual([
      'store-up',
      'pd-leader',
      'regions-have-leader',
      'regions-no-down-peer',
      'regions-no-pending-peer',
      'orders-as-shipped',
      'leaders-spread',
      'regions-no-missing-peer',
      'leaders-balanced',
      'store-has-space',
      'peers-fast',
      'store-not-slow',
      'leaders-stay',
    ]);
  });

  it('with a quorum that cannot be read says so', () => {
    expect(broken(healthy({ leadership: nothing }))).toEqual([
      'pd-quorum pd: PD has a quorum but cannot be read (no answer)',
    ]);
  });

  it('with one dead member keeps its quorum, and the member is named', () => {
    const picture = withPd(healthy(), 'pd-2', { reach: REFUSED, quorum: nothing });
    expect(broken(picture)).toEqual(['pd-members pd-2: pd-2 does not answer (connection refused)']);
  });

  it('with too few members that answer has no quorum, and no member is judged by itself', () => {
    const deaf = { reach: REFUSED, quorum: nothing };
    const picture = withPd(withPd(pdUnreadable(), 'pd-0', deaf), 'pd-2', deaf);
    expect(broken(picture)).toEqual([expect.stringMatching(/^pd-quorum pd: PD has no quorum: 0 of 3 see one/)]);
    const members = INVARIANTS.find(({ name }) => name === 'pd-members')!.check(picture);
    expect(members).toMatchObject({ known: false, unjudged: ['pd-0', 'pd-1', 'pd-2'] });
  });

  it('whose leader etcd does not follow has no one leader', () => {
    expect(broken(healthy({ leadership: leadership({ etcdLeader: 'pd-2' }) }))).toEqual([
      'pd-leader pd: pd-1 leads PD, but etcd follows pd-2',
    ]);
  });
});

describe('the regions', () => {
  const regions = healthy().vitals.regions;

  it('have symptoms without a target', () => {
    expect(broken(healthy({ regions: { ...regions, pendingPeer: fact(7), downPeer: fact(1) } }))).toEqual([
      'regions-no-down-peer -: 1 region has a down peer',
      'regions-no-pending-peer -: 7 regions have a pending peer',
    ]);
  });

  it('have no leader where PD knows none', () => {
    expect(broken(healthy({ regions: { ...regions, withLeader: fact(21) } }))).toEqual([
      'regions-have-leader -: 3 regions have no leader',
    ]);
  });

  it('are not called clean by a PD leader that has not heard of each region yet', () => {
    const young = leadership({ seenBy: 'change', seenSince: secondsAgo(8) });
    expect(unknown(healthy({ leadership: young }))).toEqual([
      'regions-no-down-peer',
      'regions-no-pending-peer',
      'leaders-spread',
      'regions-no-missing-peer',
    ]);
    expect(unknown(healthy({ leadership: young, regions: { ...regions, withLeader: fact(3) } }))).toContain(
      'regions-have-leader',
    );
    expect(broken(healthy({ leadership: young, regions: { ...regions, pendingPeer: fact(2) } }))).toHaveLength(1);
  });
});

describe('the service', () => {
  it('fails with the kinds of failure', () => {
    const probe = fact({
      regionsOk: 20,
      regionsFailed: 4,
      errors: { NotLeader: 3, GaveUp: 1 },
      p50Ms: 2,
      p99Ms: 9,
      byStore: {},
    });
    expect(broken(healthy({ probe }))).toEqual([
      'probe-ok -: the probe fails on 4 of 24 regions (3 NotLeader, 1 GaveUp)',
    ]);
  });

  it('that is slow, uneven or full is only remarked', () => {
    const probe = fact({ regionsOk: 24, regionsFailed: 0, errors: {}, p50Ms: 2, p99Ms: 900, byStore: {} });
    const uneven = withStore(healthy({ probe }), 'tikv-0', { pd: pdStore('1', { leaders: 18, available: '1.9GiB' }) });
    expect(checks(uneven).flatMap(({ broken: list }) => list.map(({ severity }) => severity))).toEqual([
      'info',
      'info',
      'info',
    ]);
  });
});

describe('signs that are only shown', () => {
  const watching = (changes: Partial<Vitals['trends']>) =>
    healthy({ trends: { ...healthy().vitals.trends, ...changes } });
  const rise = (changes: Partial<ScoreRise>): ScoreRise => ({
    kind: 'network',
    reporter: 'tikv-0',
    about: 'tikv-2',
    from: 1,
    to: 99,
    since: secondsAgo(8),
    fellAt: null,
    ...changes,
  });

  it('name the store whose network others find slow, not for small or fallen rises', () => {
    expect(broken(watching({ rises: fact([rise({}), rise({ reporter: 'tikv-1', to: 12 })]) }))).toEqual([
      'peers-fast tikv-2: the network to tikv-2 is slow by the scores of tikv-0 99, tikv-1 12',
    ]);
    expect(broken(watching({ rises: fact([rise({ to: 12 }), rise({ fellAt: secondsAgo(1) })]) }))).toEqual([]);
  });

  it('name a store that reports itself slow', () => {
    const slow = rise({ kind: 'store', reporter: 'tikv-2', to: 8 });
    expect(broken(watching({ rises: fact([slow]) }))).toEqual([
      'store-not-slow tikv-2: slow_score of tikv-2 rose from 1 to 8',
    ]);
  });

  it('name a store that serves much slower than the others, and none when all are slow', () => {
    const serving = (byStore: Record<string, number>) =>
      healthy({ probe: fact({ regionsOk: 24, regionsFailed: 0, errors: {}, p50Ms: 2, p99Ms: 9, byStore }) });
    expect(broken(serving({ 'tikv-0': 4, 'tikv-1': 20, 'tikv-2': 220 }))).toEqual([
      'leaders-fast tikv-2: tikv-2 serves in 220 ms, the others in 4 ms',
    ]);
    expect(broken(serving({ 'tikv-0': 150, 'tikv-1': 120, 'tikv-2': 220 }))).toEqual([]);
    expect(broken(serving({ 'tikv-0': 1, 'tikv-1': 1, 'tikv-2': 60 }))).toEqual([]);
  });

  it('name a store that runs and lost its leaders, unless it was restarted or its process ended', () => {
    const drained = withStore(watching({ mostLeaders: fact({ 'tikv-2': 9 }) }), 'tikv-2', {
      pd: pdStore('3', { leaders: 2 }),
    });
    expect(broken(drained)).toEqual(['leaders-stay tikv-2: tikv-2 runs and lost its leaders: 9 a while ago, 2 now']);
    const restarted = withStore(drained, 'tikv-2', { witness: witness({ startedAt: secondsAgo(5) }) });
    expect(broken(restarted)).toEqual([]);
    const few = withStore(drained, 'tikv-2', { pd: pdStore('3', { leaders: 7 }) });
    expect(broken(few)).toEqual([]);
  });

  it('name what PD is told', () => {
    const scheduling = {
      schedulers: fact(['balance-leader-scheduler', 'evict-leader-scheduler']),
      paused: fact(['balance-leader-scheduler']),
      limits: limits({ leaders: 0, halted: true, stores: { '2': { 'add-peer': 0.1, 'remove-peer': 15 } } }),
      held: fact({ 'evict-leader-scheduler': ['1'] }),
    };
    expect(broken(healthy({ scheduling }))).toEqual([
      'orders-as-shipped cluster: PD is told otherwise: evict-leader-scheduler was added, balance-leader-scheduler is paused, ' +
        'leader-schedule-limit is 0, halt-scheduling is on, the add-peer limit of tikv-1 is 0.1 a minute',
    ]);
  });

  it('are unknown as a whole while one of them is, and nothing else is out of order', () => {
    const scheduling = { ...healthy().vitals.scheduling, paused: nothing };
    expect(unknown(healthy({ scheduling }))).toEqual(['orders-as-shipped']);
  });

  it('stand in the summary', () => {
    const lines = summaryOf(watching({ rises: fact([rise({})]) }));
    expect(lines.at(-1)).toBe('signs: scores that rose: tikv-0 about tikv-2 1 to 99');
    expect(summaryOf(healthy()).some((line) => line.startsWith('signs'))).toBe(false);
  });

  it('are unknown to somebody who has just begun to watch', () => {
    const first = watching({ rises: nothing, mostLeaders: nothing });
    expect(unknown(first)).toEqual(['peers-fast', 'store-not-slow', 'leaders-stay']);
  });
});

describe('leaders', () => {
  const led = (...counts: readonly number[]) =>
    counts.reduce(
      (picture, leaders, index) =>
        withStore(picture, `tikv-${index}`, { pd: pdStore(String(index + 1), { leaders, leaderScore: leaders }) }),
      healthy(),
    );
  const spread = (picture: TikvPicture) => broken(picture).filter((line) => line.startsWith('leaders-spread'));

  it('are concentrated on a store that leads all it holds, and that is about the whole cluster', () => {
    expect(spread(led(18, 2, 2, 2))).toEqual([
      'leaders-spread cluster: tikv-0 leads 18 of its 18 regions, 24 are led in all, while 3 others are Up',
    ]);
    expect(spread(led(0, 17, 4, 3))).toHaveLength(1);
  });

  it('that are uneven, few, or even by score are not concentrated', () => {
    expect(spread(led(15, 3, 3, 3))).toEqual([]);
    expect(spread(led(7, 0, 0, 0))).toEqual([]);
    const weighted = withStore(led(18, 2, 2, 2), 'tikv-0', { pd: pdStore('1', { leaders: 18, leaderScore: 2 }) });
    expect(spread(weighted)).toEqual([]);
  });

  it('are no wonder where the others are not Up, and not known of a PD leader that has just changed', () => {
    const others = ['tikv-2', 'tikv-3'].reduce(
      (picture, name, index) =>
        withStore(picture, name, { pd: pdStore(String(index + 3), { state: 'Down', leaders: 0, leaderScore: 0 }) }),
      led(18, 6, 0, 0),
    );
    expect(spread(others)).toEqual([]);
    const picture = led(18, 2, 2, 2);
    const young = leadership({ seenBy: 'change', seenSince: secondsAgo(5) });
    expect(unknown({ ...picture, vitals: { ...picture.vitals, leadership: young } })).toContain('leaders-spread');
  });
});

describe('regions without a leader', () => {
  it('are not believed of a PD leader whose process has just started, or whose start nobody knows yet', () => {
    const counts = { ...healthy().vitals.regions, withLeader: fact(20) };
    const picture = healthy({ regions: counts });
    expect(broken(picture)).toEqual(['regions-have-leader -: 4 regions have no leader']);
    const young = withPd(picture, 'pd-1', { startedAt: fact(secondsAgo(8)) });
    expect(check(young, 'regions-have-leader').known).toBe(false);
    const seen = (seconds: number) =>
      withPd(healthy({ regions: counts, leadership: leadership({ seenSince: secondsAgo(seconds) }) }), 'pd-1', {
        startedAt: nothing,
      });
    expect(check(seen(8), 'regions-have-leader').known).toBe(false);
    expect(check(seen(20), 'regions-have-leader').known).toBe(true);
  });
});
