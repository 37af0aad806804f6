import { describe, expect, it } from '@jest/globals';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import type { ClientPort, ScoreRise, TikvPicture, Vitals } from '../../../subjects/tikv/picture.js';
import {
  AT,
  fact,
  healthy,
  limits,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  secondsAgo,
  withPd,
  withStore,
  witness,
} from './pictures.js';

const isGone = (name: string, picture: TikvPicture, target: string) =>
  CAUSES.find((cause) => cause.class === name)!.isGone(picture, target).verdict;

const rise = (changes: Partial<ScoreRise>): ScoreRise => ({
  kind: 'network',
  reporter: 'tikv-0',
  about: 'tikv-2',
  from: 1,
  to: 99,
  since: secondsAgo(30),
  fellAt: null,
  ...changes,
});

const withVitals = (changes: Partial<Vitals>) => healthy(changes);
const risen = (...rises: ScoreRise[]) => withVitals({ trends: { ...healthy().vitals.trends, rises: fact(rises) } });
const unwatched = withVitals({ trends: { ...healthy().vitals.trends, rises: nothing } });
const door = (port: ClientPort) => withStore(healthy(), 'tikv-2', { clientPort: fact(port) });
const told = (changes: Partial<Vitals['scheduling']>) =>
  withVitals({ scheduling: { ...healthy().vitals.scheduling, ...changes } });
const serving = (byStore: Record<string, number>) =>
  withVitals({ probe: fact({ regionsOk: 24, regionsFailed: 0, errors: {}, p50Ms: 2, p99Ms: 9, byStore }) });

const OF_STORES = [
  'peer-link-loss',
  'link-slow',
  'cpu-starved',
  'disk-slow',
  'disk-full',
  'grpc-paused',
  'store-offline',
] as const;

describe.each(OF_STORES)('%s is gone', (cause) => {
  it('when the host, our client, PD and its own sign say so', () => {
    expect(isGone(cause, healthy(), 'tikv-2')).toBe('yes');
  });

  it.each([
    ['the host shows it paused', withStore(healthy(), 'tikv-2', { witness: witness({ state: 'paused' }) })],
    ['its port refuses', withStore(healthy(), 'tikv-2', { reach: REFUSED })],
    ['PD calls it Offline', withStore(healthy(), 'tikv-2', { pd: pdStore('3', { state: 'Offline' }) })],
    ['PD does not list it', withStore(healthy(), 'tikv-2', { pd: fact(null) })],
  ])('not while %s', (_, picture) => {
    expect(isGone(cause, picture, 'tikv-2')).toBe('no');
  });

  it.each([
    ['the witness', withStore(healthy(), 'tikv-2', { witness: nothing })],
    ['our client', withStore(healthy(), 'tikv-2', { reach: nothing })],
    ['PD', pdUnreadable()],
  ])('unknown without %s', (_, picture) => {
    expect(isGone(cause, picture, 'tikv-2')).toBe('unknown');
  });
});

describe('a cause that its own sign still shows', () => {
  it.each<[string, TikvPicture]>([
    ['peer-link-loss', risen(rise({}))],
    ['peer-link-loss', risen(rise({ reporter: 'tikv-2', about: 'tikv-1' }))],
    ['link-slow', risen(rise({}))],
    ['link-slow', serving({ 'tikv-0': 4, 'tikv-1': 5, 'tikv-2': 220 })],
    ['cpu-starved', risen(rise({ kind: 'store', reporter: 'tikv-2', to: 16 }))],
    ['disk-slow', risen(rise({ kind: 'store', reporter: 'tikv-2', to: 16 }))],
    ['disk-full', withStore(healthy(), 'tikv-2', { pd: pdStore('3', { available: '500MiB' }) })],
    ['grpc-paused', door({ kind: 'refused' })],
    ['grpc-paused', door({ kind: 'silent', afterMs: 900 })],
  ])('is not gone: %s', (cause, picture) => {
    expect(isGone(cause, picture, 'tikv-2')).toBe('no');
  });

  it('may be gone when the score decays, or rose for another store', () => {
    expect(isGone('link-slow', risen(rise({ fellAt: AT })), 'tikv-2')).toBe('yes');
    expect(isGone('link-slow', risen(rise({ about: 'tikv-3' })), 'tikv-2')).toBe('yes');
    expect(isGone('cpu-starved', risen(rise({ kind: 'store', from: 55, to: 69 })), 'tikv-2')).toBe('yes');
  });

  it.each(['peer-link-loss', 'link-slow', 'cpu-starved', 'disk-slow'])(
    'is unknown until somebody watched: %s',
    (cause) => {
      expect(isGone(cause, unwatched, 'tikv-2')).toBe('unknown');
    },
  );

  it('is unknown where PD or nobody tells: disk-full, grpc-paused', () => {
    const silent = withStore(healthy(), 'tikv-2', { pd: pdStore('3', { capacity: '' }), clientPort: nothing });
    expect(isGone('disk-full', silent, 'tikv-2')).toBe('unknown');
    expect(isGone('grpc-paused', silent, 'tikv-2')).toBe('unknown');
  });
});

describe('an order to PD', () => {
  const gone = (cause: string, picture: TikvPicture) => isGone(cause, picture, 'cluster');

  it('is gone when PD says so and the hosts show a majority of it running', () => {
    expect(gone('foreign-scheduler', healthy())).toBe('yes');
    expect(gone('scheduling-stopped', healthy())).toBe('yes');
    const dead = witness({ state: 'exited' });
    const one = withPd(withPd(healthy(), 'pd-0', { witness: dead }), 'pd-2', { witness: dead });
    expect(gone('foreign-scheduler', one)).toBe('no');
  });

  it('is not gone while PD tells of it', () => {
    expect(gone('foreign-scheduler', told({ schedulers: fact(['grant-leader-scheduler']) }))).toBe('no');
    expect(gone('scheduling-stopped', told({ paused: fact(['balance-leader-scheduler']) }))).toBe('no');
    expect(gone('scheduling-stopped', told({ limits: limits({ leaders: 0 }) }))).toBe('no');
    expect(gone('scheduling-stopped', told({ limits: limits({ halted: true }), paused: nothing }))).toBe('no');
  });

  it('is unknown when PD does not tell', () => {
    expect(gone('foreign-scheduler', told({ schedulers: nothing }))).toBe('unknown');
    expect(gone('scheduling-stopped', told({ limits: nothing }))).toBe('unknown');
    expect(gone('scheduling-stopped', told({ paused: nothing }))).toBe('unknown');
  });
});
