import { type Probed, probe } from './probe.js';
import { NO_ANSWER, type Row, type StoreCell } from './rows.js';

/** What PD says at one moment, as the parts of a row. */
export type PdLook = Pick<Row, 'pd' | 'stores' | 'unhealthy' | 'check' | 'ops'>;

export interface PdLookOptions {
  /** Client URLs of the members, in the order of their numbers. */
  readonly members: readonly string[];
  readonly limitMs: number;
  /** Ages of heartbeats are multiplied by this. */
  readonly scale: number;
}

const CHECKS = ['miss-peer', 'extra-peer', 'down-peer', 'pending-peer', 'offline-peer', 'learner-peer'];

/** Asks every member who leads, and one that knew it for the rest; `/health` is answered without a leader too. */
export async function lookAtPd({ members, limitMs, scale }: PdLookOptions): Promise<PdLook> {
  const asked = await Promise.all(members.map((url) => probe(`${url}/pd/api/v1/leader`, limitMs, (text) => text)));
  const alive = members.filter((_, at) => asked[at]?.kind === 'answer');
  const [knowing] = members.filter((_, at) => leaderNameOf(asked[at]) !== null);
  const ask = (url: string | undefined, path: string) => answerOf(url, path, limitMs);
  const [health, stores, operators, ...checks] = await Promise.all([
    ask(alive[0], 'health'),
    ask(knowing, 'stores'),
    ask(knowing, 'operators'),
    ...CHECKS.map((name) => ask(knowing, `regions/check/${name}`)),
  ]);
  return {
    pd: unanimous(asked.map(leaderWords)),
    stores: stores === null ? NO_ANSWER : cellsOf(stores as ListedStores, scale),
    unhealthy: ((health ?? []) as ListedHealth).filter((one) => !one.health).map(({ name }) => name),
    check: checks.includes(null) ? NO_ANSWER : countsOf(checks as { count: number }[]),
    ops: operators === null ? NO_ANSWER : namesOf(operators as (string | null)[]),
  };
}

type ListedHealth = readonly { readonly name: string; readonly health: boolean }[];

interface ListedStores {
  readonly stores: readonly {
    readonly store: { readonly id: number; readonly state_name: string };
    readonly status: {
      readonly leader_count?: number;
      readonly region_count?: number;
      readonly pending_peer_count?: number;
      readonly slow_score?: number;
      readonly is_busy?: boolean;
      readonly last_heartbeat_ts?: string;
      readonly network_slow_score?: Readonly<Record<string, number>>;
    };
  }[];
}

/** Null unless it is a 200 with JSON. */
async function answerOf(url: string | undefined, path: string, limitMs: number): Promise<unknown> {
  if (url === undefined) return null;
  const asked = await probe(`${url}/pd/api/v1/${path}`, limitMs, (text) => text);
  return asked.kind === 'answer' && asked.status === 200 ? (JSON.parse(asked.body) as unknown) : null;
}

function leaderNameOf(asked: Probed<string> | undefined): string | null {
  if (asked?.kind !== 'answer' || asked.status !== 200) return null;
  return (JSON.parse(asked.body) as { name: string }).name;
}

function leaderWords(asked: Probed<string>): string {
  if (asked.kind !== 'answer') return asked.kind;
  return leaderNameOf(asked) ?? `${asked.status} ${asked.body.trim()}`;
}

const unanimous = (words: string[]): string | string[] => (new Set(words).size === 1 ? (words[0] ?? '') : words);

function cellsOf({ stores }: ListedStores, scale: number): Record<string, StoreCell> {
  const now = Date.now();
  return Object.fromEntries(
    stores.map(({ store, status }): [string, StoreCell] => {
      const heard = status.last_heartbeat_ts === undefined ? 0 : Date.parse(status.last_heartbeat_ts);
      const age = Math.round(((now - heard) / 1000) * scale);
      const scores = status.network_slow_score ?? {};
      const slow = Object.fromEntries(Object.entries(scores).filter(([, score]) => score !== 1));
      const others = {
        ...(Object.keys(slow).length > 0 ? { network_slow_score: slow } : {}),
        ...(status.is_busy ? { is_busy: true } : {}),
      };
      const counts = [status.leader_count ?? 0, status.region_count ?? 0, status.pending_peer_count ?? 0] as const;
      const cell = [store.state_name, ...counts, status.slow_score ?? 0, age] as const;
      return [String(store.id), Object.keys(others).length > 0 ? [...cell, others] : cell];
    }),
  );
}

const countsOf = (answers: readonly { readonly count: number }[]): Record<string, number> =>
  Object.fromEntries(CHECKS.flatMap((name, at) => (answers[at]?.count ? [[name, answers[at].count]] : [])));

/** `balance-leader-scheduler {transfer leader: ...}` */
function namesOf(operators: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operator of operators) {
    const name = /[\w-]+/.exec(operator ?? '')?.[0] ?? '?';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
