import { type Instant, instant } from '../../../src/domain/ids.js';
import { type Gap, gap, known } from '../../../src/domain/reading.js';
import type {
  ClientPort,
  PdMember,
  PdStore,
  Reach,
  ScheduleLimits,
  Store,
  TikvPicture,
  Vitals,
  Witness,
} from '../../../subjects/tikv/picture.js';

/** When all these pictures are taken. */
export const AT = '2026-11-30T14:00:00.000Z';
const SEEN = { at: AT, source: 'test' };

/** So many seconds before the picture. */
export const secondsAgo = (seconds: number): Instant => instant(Date.parse(AT) - seconds * 1_000);

export const nothing: Gap = gap('no answer', SEEN);
export const fact = <T>(value: T) => known(value, SEEN);
export const reach = (value: Reach) => fact<Reach>(value);
export const REFUSED = reach({ kind: 'refused' });
export const ANSWERS = reach({ kind: 'answers', status: 200, ms: 2 });

export const OPEN = fact<ClientPort>({ kind: 'open' });

export function witness(changes: Partial<Witness> = {}) {
  return fact<Witness>({
    state: 'running',
    stoppedByRequest: false,
    pid: 4711,
    startedAt: secondsAgo(3_600),
    finishedAt: null,
    exitCode: null,
    signal: null,
    starts: 1,
    hasData: true,
    ...changes,
  });
}

/** Killed some seconds ago. */
export const died = (changes: Partial<Witness> = {}) =>
  witness({ state: 'exited', pid: null, exitCode: 137, signal: 'SIGKILL', finishedAt: secondsAgo(2), ...changes });

export function pdStore(id: string, changes: Partial<PdStore> = {}) {
  return fact<PdStore>({
    id,
    state: 'Up',
    lastHeartbeat: secondsAgo(1),
    startedAt: secondsAgo(3_600),
    leaders: 6,
    regions: 18,
    leaderScore: 6,
    regionScore: 100,
    weights: { leader: 1, region: 1 },
    pendingPeers: 0,
    slowScore: 1,
    networkSlowScores: {},
    available: '9GiB',
    capacity: '10GiB',
    ...changes,
  });
}

export function pd(name: string, changes: Partial<PdMember> = {}): PdMember {
  return {
    name,
    clientUrl: `http://${name}`,
    reach: ANSWERS,
    startedAt: fact(secondsAgo(3_600)),
    quorum: fact({ healthy: true, reason: '' }),
    witness: witness(),
    ...changes,
  };
}

export function leadership(changes: Partial<Extract<Vitals['leadership'], { known: true }>['value']> = {}) {
  return fact({
    leader: 'pd-1',
    etcdLeader: 'pd-1',
    members: ['pd-0', 'pd-1', 'pd-2'],
    seenSince: secondsAgo(600),
    seenBy: 'first-look' as const,
    ...changes,
  });
}

const SHIPPED = { 'add-peer': 15, 'remove-peer': 15 };

/** PD's limits as it ships with them, unless changed. */
export const limits = (changes: Partial<ScheduleLimits> = {}) =>
  fact<ScheduleLimits>({
    leaders: 4,
    halted: false,
    regions: 2048,
    replicas: 64,
    stores: { '1': SHIPPED, '2': SHIPPED, '3': SHIPPED, '4': SHIPPED },
    ...changes,
  });

/** Three PDs, four stores, three regions; nothing is wrong. */
export function healthy(changes: Partial<Vitals> = {}): TikvPicture {
  return {
    at: AT,
    profile: 'fast',
    vitals: {
      pd: [pd('pd-0'), pd('pd-1'), pd('pd-2')],
      leadership: leadership(),
      stores: [0, 1, 2, 3].map((index) => ({
        name: `tikv-${index}`,
        pd: pdStore(String(index + 1)),
        reach: ANSWERS,
        clientPort: OPEN,
        witness: witness(),
      })),
      regions: {
        total: fact(24),
        withLeader: fact(24),
        pendingPeer: fact(0),
        downPeer: fact(0),
        missingPeer: fact(0),
      },
      probe: fact({
        regionsOk: 24,
        regionsFailed: 0,
        errors: {},
        p50Ms: 2,
        p99Ms: 9,
        byStore: { 'tikv-0': 2, 'tikv-1': 2, 'tikv-2': 2, 'tikv-3': 2 },
      }),
      scheduling: {
        schedulers: fact(['balance-leader-scheduler', 'balance-region-scheduler']),
        paused: fact([]),
        limits: limits(),
        held: fact({}),
      },
      trends: { rises: fact([]), mostLeaders: fact({}), deafSince: {}, shutSince: {} },
      ...changes,
    },
    placement: fact({
      regions: [
        region('14', ['tikv-1', 'tikv-2', 'tikv-3']),
        region('18', ['tikv-0', 'tikv-1', 'tikv-2']),
        region('22', ['tikv-0', 'tikv-1', 'tikv-3']),
      ],
    }),
  };
}

export function region(id: string, voters: readonly string[], pending: readonly string[] = []) {
  return { id, voters, learners: [], leader: voters[0] ?? null, pending, down: [] };
}

/** The same picture with something else about one store. */
export function withStore(picture: TikvPicture, name: string, changes: Partial<Store>): TikvPicture {
  const stores = picture.vitals.stores.map((store) => (store.name === name ? { ...store, ...changes } : store));
  return { ...picture, vitals: { ...picture.vitals, stores } };
}

/** The same picture with something else about one PD member. */
export function withPd(picture: TikvPicture, name: string, changes: Partial<PdMember>): TikvPicture {
  const members = picture.vitals.pd.map((member) => (member.name === name ? { ...member, ...changes } : member));
  return { ...picture, vitals: { ...picture.vitals, pd: members } };
}

/** tikv-2 a moment after SIGKILL: PD does not know yet. */
export const justKilled = (picture = healthy()): TikvPicture =>
  withStore(picture, 'tikv-2', { reach: REFUSED, witness: died() });

/** No member could be asked for anything that needs a leader. */
export const pdUnreadable = (picture = healthy()): TikvPicture => ({
  ...picture,
  placement: nothing,
  vitals: {
    ...picture.vitals,
    pd: picture.vitals.pd.map((member) => ({ ...member, quorum: fact({ healthy: false, reason: 'RAFT NO LEADER' }) })),
    leadership: nothing,
    stores: picture.vitals.stores.map((store) => ({ ...store, pd: nothing })),
    regions: { total: nothing, withLeader: nothing, pendingPeer: nothing, downPeer: nothing, missingPeer: nothing },
    scheduling: { schedulers: nothing, paused: nothing, limits: nothing, held: nothing },
    trends: { rises: nothing, mostLeaders: nothing, deafSince: {}, shutSince: {} },
  },
});
