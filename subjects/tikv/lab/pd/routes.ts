import { type Answer, empty, METHOD_NOT_ALLOWED, NOT_BOOTSTRAPPED, NOT_FOUND, NOT_FOUND_V2 } from './answers/answer.js';
import { config, replicationConfig, scheduleConfig } from './answers/config.js';
import { health, leader, members } from './answers/members.js';
import { metrics } from './answers/metrics.js';
import { DASHBOARD, ETCD_HEALTHY, ETCD_OK, etcdVersion, ready, status, version } from './answers/node.js';
import { region, regionCount, regionStats, regions, regionsInClass, regionsOnStore } from './answers/regions.js';
import { operators, schedulers } from './answers/schedulers.js';
import { store, stores } from './answers/stores.js';
import type { PdView } from './view.js';

/**
 * Who answers: `own` any member by itself; `leader` the leader, to which followers forward; `config` any member, with
 * the leader's help.
 */
export type Scope = 'own' | 'leader' | 'config';

/**
 * What must be known or done before the answer: `pings` of all members, a linearizable `read` of the group's state, a
 * Raft `leader` and a read (etcd's own health), a `transfer` of the leadership. `cluster` answers only once a store
 * joined, and only on the leader.
 */
export type Need = 'nothing' | 'pings' | 'read' | 'raft-health' | 'raft-read' | 'transfer' | 'cluster';

/** One request as the routes see it. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly scope: Scope;
  readonly need: Need;
  /** Takes the parts that `path` caught. */
  readonly answer: (view: PdView, ask: Ask, caught: readonly string[]) => Answer;
}

const V1 = '/pd/api/v1';

const ROUTES: readonly Route[] = [
  own('/pd/api/v1/status', (view) => status(view)),
  own('/pd/api/v1/version', () => version()),
  own('/pd/api/v1/ping', () => empty()),
  { ...own('/pd/api/v1/health', (view) => health(view)), need: 'pings' },
  { ...own('/pd/api/v1/config', (view) => config(view)), scope: 'config' },
  own('/pd/api/v2/ready', (view, ask) => ready(view, { verbose: ask.query.has('verbose') })),
  { ...own('/metrics', (view) => metrics(view)), need: 'pings' },
  { ...own('/health', () => ETCD_HEALTHY), need: 'raft-health' },
  { ...own('/readyz', () => ETCD_OK), need: 'raft-read' },
  own('/livez', () => ETCD_OK),
  own('/version', () => etcdVersion()),
  own('/dashboard/', () => DASHBOARD),

  { ...onLeader('/pd/health', (view) => health(view)), need: 'pings' },
  onLeader('/pd/ping', () => empty()),
  { ...onLeader(`${V1}/members`, (view) => members(view)), need: 'read' },
  onLeader(`${V1}/leader`, (view) => leader(view)),
  { ...onLeader(`${V1}/leader/resign`, () => empty()), method: 'POST', need: 'transfer' },
  { ...onLeader(`${V1}/leader/transfer/([^/]+)`, () => empty()), method: 'POST', need: 'transfer' },
  onLeader(`${V1}/config/schedule`, (view) => scheduleConfig(view)),
  onLeader(`${V1}/config/replicate`, () => replicationConfig()),

  ofCluster(`${V1}/stores`, (view, ask) => stores(view, ask.query)),
  ofCluster(`${V1}/store/([^/]+)`, (view, _ask, [id = '']) => store(view, id)),
  ofCluster(`${V1}/regions`, (view) => regions(view)),
  ofCluster(`${V1}/regions/count`, (view) => regionCount(view)),
  ofCluster(`${V1}/region/id/([^/]+)`, (view, _ask, [id = '']) => region(view, id)),
  ofCluster(`${V1}/regions/store/([^/]+)`, (view, ask, [id = '']) => regionsOnStore(view, id, ask.query)),
  ofCluster(`${V1}/regions/check/miss-peer`, (view) => regionsInClass(view, 'miss-peer')),
  ofCluster(`${V1}/regions/check/down-peer`, (view) => regionsInClass(view, 'down-peer')),
  ofCluster(`${V1}/regions/check/pending-peer`, (view) => regionsInClass(view, 'pending-peer')),
  ofCluster(`${V1}/stats/region`, (view, ask) => regionStats(view, ask.query)),
  ofCluster(`${V1}/schedulers`, (view, ask) => schedulers(view, ask.query)),
  ofCluster(`${V1}/operators`, (_view, ask) => operators(ask.query)),
];

/** A request with its route, or the answer of a server that has none. */
export type Found =
  | { readonly route: Route; readonly caught: readonly string[] }
  | { readonly route: null; readonly scope: 'own' | 'leader'; readonly answer: Answer };

/**
 * The route of a request. Followers forward what they do not know, too, so even a 404 has a scope: below `/pd` it is the
 * leader's to say, elsewhere it is etcd's.
 */
export function findRoute({ method, path }: Ask): Found {
  const here = ROUTES.filter((route) => route.path.test(path));
  if (here.length === 0) return { route: null, ...unknownPath(path) };
  const route = here.find((candidate) => candidate.method === method);
  if (route !== undefined) return { route, caught: route.path.exec(path)?.slice(1) ?? [] };
  const scope = here.some((candidate) => candidate.scope === 'own') ? 'own' : 'leader';
  return { route: null, scope, answer: method === 'OPTIONS' ? empty() : METHOD_NOT_ALLOWED };
}

/** The answer of a member that serves this route itself. */
export function answerHere(view: PdView, found: Found, ask: Ask): Answer {
  if (found.route === null) return found.answer;
  const { route, caught } = found;
  if (route.need === 'cluster' && !servesCluster(view)) return NOT_BOOTSTRAPPED;
  return route.answer(view, ask, caught);
}

/** Only a leader runs the cluster, and only once a store joined. */
function servesCluster(view: PdView): boolean {
  return view.isLeader && view.state.bootstrappedAtNs !== null;
}

function unknownPath(path: string): { readonly scope: 'own' | 'leader'; readonly answer: Answer } {
  if (path.startsWith('/pd/api/v2/')) return { scope: 'leader', answer: NOT_FOUND_V2 };
  return { scope: path.startsWith('/pd/') ? 'leader' : 'own', answer: NOT_FOUND };
}

function own(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'own', need: 'nothing', answer };
}

function onLeader(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'leader', need: 'nothing', answer };
}

function ofCluster(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'leader', need: 'cluster', answer };
}

function exactly(path: string): RegExp {
  return new RegExp(`^${path}$`);
}
