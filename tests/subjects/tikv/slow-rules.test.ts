import { describe, expect, it } from '@jest/globals';
import type { ScoreRise, TikvPicture, Vitals } from '../../../subjects/tikv/picture.js';
import { RULES } from '../../../subjects/tikv/rules.js';
import { askStatusPort } from '../../../subjects/tikv/services.js';
import { fact, healthy, limits, nothing, pdStore, secondsAgo, withStore } from './pictures.js';
import { board, host, type Reply, serves } from './rule-board.js';

const rise = (reporter: string, about: string, changes: Partial<ScoreRise> = {}): ScoreRise => ({
  kind: reporter === about ? 'store' : 'network',
  reporter,
  about,
  from: 1,
  to: 99,
  since: secondsAgo(8),
  fellAt: null,
  ...changes,
});

const watching = (changes: Partial<Vitals['trends']>) =>
  healthy({ trends: { ...healthy().vitals.trends, ...changes } });
const risen = (...rises: ScoreRise[]) => watching({ rises: fact(rises) });

const late: Reply = { call: askStatusPort('tikv-2'), exit: null, failure: 'connected, but no answer within 900 ms' };

const statuses = (picture: TikvPicture, replies: readonly Reply[] = [host(), serves]) =>
  Object.fromEntries(Object.entries(board(picture, replies)).map(([name, { status }]) => [name, status]));

const supportedIn = (picture: TikvPicture, replies?: readonly Reply[]) =>
  Object.entries(statuses(picture, replies)).flatMap(([name, status]) => (status === 'supported' ? [name] : []));

describe('scores that rose', () => {
  it('about one store from two others mean slow links, once a heartbeat came since', () => {
    const picture = risen(rise('tikv-0', 'tikv-2'), rise('tikv-1', 'tikv-2', { to: 12 }));
    expect(supportedIn(picture)).toEqual(['link-slow/tikv-2']);
    const before = withStore(picture, 'tikv-2', { pd: pdStore('3', { lastHeartbeat: secondsAgo(9) }) });
    expect(board(before, [host(), serves])['link-slow/tikv-2']).toMatchObject({ status: 'refuted' });
    const due = risen(
      rise('tikv-0', 'tikv-2', { since: secondsAgo(0.5) }),
      rise('tikv-1', 'tikv-2', { since: secondsAgo(0.5) }),
    );
    expect(board(due, [host(), serves])['link-slow/tikv-2']).toMatchObject({ status: 'open', tooEarly: true });
  });

  it('within one pair mean that link, when no third store is or was involved', () => {
    const pair = [rise('tikv-0', 'tikv-2'), rise('tikv-2', 'tikv-0')];
    expect(supportedIn(risen(...pair))).toEqual(['peer-link-loss/tikv-2']);
    const fallen = rise('tikv-1', 'tikv-2', { fellAt: secondsAgo(2) });
    expect(statuses(risen(...pair, fallen))).toMatchObject({ 'peer-link-loss/tikv-2': 'refuted' });
    const elsewhere = rise('tikv-3', 'tikv-0');
    expect(statuses(risen(...pair, elsewhere))).toMatchObject({ 'peer-link-loss/tikv-2': 'refuted' });
  });

  it('just now within one pair are too early: the others report with their next heartbeats', () => {
    const picture = risen(rise('tikv-0', 'tikv-2', { since: secondsAgo(1) }));
    expect(board(picture, [host(), serves])['peer-link-loss/tikv-2']).toMatchObject({ status: 'open', tooEarly: true });
  });

  it('about a store that lost its leaders are no slow link', () => {
    const { trends } = risen(rise('tikv-0', 'tikv-2'), rise('tikv-1', 'tikv-2')).vitals;
    const picture = withStore(healthy({ trends: { ...trends, mostLeaders: fact({ 'tikv-2': 9 }) } }), 'tikv-2', {
      pd: pdStore('3', { leaders: 0 }),
    });
    expect(statuses(picture)).toMatchObject({ 'link-slow/tikv-2': 'refuted', 'link-loss/tikv-2': 'open' });
  });
});

describe('a slow_score that rose', () => {
  const starved = risen(rise('tikv-2', 'tikv-2', { to: 16 }));

  it('with a late status port means too little processor time: that port touches no disk', () => {
    expect(supportedIn(starved, [host(), late])).toEqual(['cpu-starved/tikv-2']);
    expect(statuses(starved, [host(), late])).toMatchObject({
      'disk-slow/tikv-2': 'refuted',
      'link-slow/tikv-2': 'refuted',
    });
  });

  it('with a quick status port leaves disk and processor undecided, and says what would decide', () => {
    const found = board(starved, [host(), serves]);
    expect(found['disk-slow/tikv-2']).toMatchObject({ status: 'open', decidedBy: expect.stringContaining('iostat') });
    expect(found['cpu-starved/tikv-2']).toMatchObject({
      status: 'open',
      decidedBy: expect.stringContaining('cpu.stat'),
    });
    expect(found['link-slow/tikv-2']!.status).toBe('refuted');
  });

  it('by less than the double is a bad moment of a leftover', () => {
    const wobble = risen(rise('tikv-2', 'tikv-2', { from: 55, to: 69 }));
    expect(statuses(wobble)).toMatchObject({ 'cpu-starved/tikv-2': 'refuted', 'disk-slow/tikv-2': 'refuted' });
  });
});

describe('without scores', () => {
  it('a deaf port is waited on until each peer must have reported, then it is undecided', () => {
    const deaf = (seconds: number) => watching({ deafSince: { 'tikv-2': secondsAgo(seconds) } });
    expect(board(deaf(3), [host(), late])['link-slow/tikv-2']).toMatchObject({ tooEarly: true });
    expect(board(deaf(9), [host(), late])['link-slow/tikv-2']).toMatchObject({
      status: 'open',
      decidedBy: expect.stringContaining('ss -ti'),
    });
  });

  it('a heartbeat that was sent while the port was silent shows that the process is not frozen', () => {
    const deaf = watching({ deafSince: { 'tikv-2': secondsAgo(3) } });
    expect(statuses(deaf, [host(), late])).toMatchObject({ 'process-frozen/tikv-2': 'refuted' });
    const older = watching({ deafSince: { 'tikv-2': secondsAgo(0.5) } });
    expect(statuses(older, [host(), late])).toMatchObject({ 'process-frozen/tikv-2': 'open' });
  });

  it('nothing is said about slowness by somebody who has just begun to watch', () => {
    const found = statuses(watching({ rises: nothing, mostLeaders: nothing }));
    for (const name of ['cpu-starved', 'disk-slow', 'link-slow', 'peer-link-loss', 'link-loss'])
      expect(found[`${name}/tikv-2`]).toBe('open');
  });
});

describe('the client port', () => {
  const refused = (since: number) =>
    withStore(watching({ shutSince: { 'tikv-2': secondsAgo(since) } }), 'tikv-2', {
      clientPort: fact({ kind: 'refused' }),
    });

  it('refused for a while beside a status port that answers is a paused gRPC server', () => {
    expect(supportedIn(refused(5))).toEqual(['grpc-paused/tikv-2']);
    expect(board(refused(0.5), [host(), serves])['grpc-paused/tikv-2']).toMatchObject({ tooEarly: true });
  });
});

describe('a store that is being removed', () => {
  it('is named and left to a person: whether it was a mistake no signal tells', () => {
    for (const pd of [pdStore('3', { state: 'Offline' }), fact(null)]) {
      const picture = withStore(healthy(), 'tikv-2', { pd });
      expect(supportedIn(picture)).toEqual(['store-offline/tikv-2']);
    }
    const suspect = RULES[0]!.suspects('tikv-2', healthy()).find(({ cause }) => cause.class === 'store-offline')!;
    expect(suspect.cure).toBeUndefined();
  });
});

describe('orders to PD', () => {
  const told = (scheduling: Partial<Vitals['scheduling']>) =>
    healthy({ scheduling: { ...healthy().vitals.scheduling, ...scheduling } });
  const orders = (picture: TikvPicture) => board(picture, [], ['moved-leaders', 'cluster']);

  it.each([
    ['a scheduler that somebody added', { schedulers: fact(['evict-leader-scheduler']) }, 'foreign-scheduler/cluster'],
    ['a paused scheduler', { paused: fact(['balance-leader-scheduler']) }, 'scheduling-stopped/cluster'],
    ['a limit of 0', { limits: limits({ leaders: 0 }) }, 'scheduling-stopped/cluster'],
    ['a halt', { limits: limits({ halted: true }) }, 'scheduling-stopped/cluster'],
  ])('are shown by PD: %s', (_, scheduling, cause) => {
    const found = orders(told(scheduling));
    expect(found[cause]).toMatchObject({ status: 'supported' });
    expect(Object.values(found).filter(({ status }) => status === 'supported')).toHaveLength(1);
  });

  it('are refuted by PD when there are none', () => {
    const found = orders(healthy());
    expect(found['foreign-scheduler/cluster']!.status).toBe('refuted');
    expect(found['scheduling-stopped/cluster']!.status).toBe('refuted');
  });

  it('are suspected without the word of PD only where leaders went away', () => {
    const silent = told({ schedulers: nothing, limits: nothing });
    expect(orders(silent)['foreign-scheduler/cluster']!.decidedBy).toBeUndefined();
    const moved = withStore(
      {
        ...silent,
        vitals: { ...silent.vitals, trends: { ...silent.vitals.trends, mostLeaders: fact({ 'tikv-1': 9 }) } },
      },
      'tikv-1',
      { pd: pdStore('2', { leaders: 0 }) },
    );
    expect(orders(moved)['foreign-scheduler/cluster']!.decidedBy).toContain('/schedulers');
    expect(orders(moved)['scheduling-stopped/cluster']!.decidedBy).toContain('/config/schedule');
  });
});
