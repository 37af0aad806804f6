import {
  type Answer,
  empty,
  jsonV2,
  METHOD_NOT_ALLOWED,
  NOT_BOOTSTRAPPED,
  NOT_BOOTSTRAPPED_TEXT,
  NOT_FOUND,
  NOT_FOUND_V2,
} from './answers/answer.js';
import type { Ask, Outcome, Route } from './route.js';
import { CLUSTER_ROUTES } from './routes/cluster.js';
import { CONFIG_ROUTES } from './routes/config.js';
import { MEMBER_ROUTES } from './routes/members.js';
import { REGION_ROUTES } from './routes/regions.js';
import { SCHEDULER_ROUTES } from './routes/schedulers.js';
import { STORE_ROUTES } from './routes/stores.js';
import type { PdView } from './view.js';

/** Everything that this stand-in of PD answers. */
export const PD_ROUTES: readonly Route[] = [
  ...MEMBER_ROUTES,
  ...CLUSTER_ROUTES,
  ...STORE_ROUTES,
  ...REGION_ROUTES,
  ...SCHEDULER_ROUTES,
  ...CONFIG_ROUTES,
];

/** A request with its route, or the answer of a server that has none. */
export type Found =
  | { readonly route: Route; readonly caught: readonly string[] }
  | { readonly route: null; readonly scope: 'own' | 'leader'; readonly answer: Answer };

/**
 * The route of a request. Followers forward what they do not know, too, so even a 404 has a scope: below `/pd` it is the
 * leader's to say, elsewhere it is etcd's.
 */
export function findRoute({ method, path }: Pick<Ask, 'method' | 'path'>): Found {
  const here = PD_ROUTES.filter((route) => route.path.test(path));
  if (here.length === 0) return { route: null, ...unknownPath(path) };
  const route = here.find((candidate) => candidate.method === method);
  if (route !== undefined) return { route, caught: caughtBy(route, path) };
  const scope = here.some((candidate) => candidate.scope === 'own') ? 'own' : 'leader';
  return { route: null, scope, answer: method === 'OPTIONS' ? empty() : METHOD_NOT_ALLOWED };
}

/** The answer of a member that serves this route itself, or the change that must come first. */
export function answerHere(view: PdView, found: Found, ask: Ask): Outcome {
  if (found.route === null) return found.answer;
  const { route, caught } = found;
  if (route.need === 'cluster' && !servesCluster(view)) {
    return ask.path.startsWith('/pd/api/v2/') ? jsonV2(NOT_BOOTSTRAPPED_TEXT, 500) : NOT_BOOTSTRAPPED;
  }
  return route.answer(view, ask, caught);
}

/** Only a leader runs the cluster, and only once a store joined. */
function servesCluster(view: PdView): boolean {
  return view.isLeader && view.state.bootstrappedAtNs !== null;
}

function caughtBy(route: Route, path: string): string[] {
  return (route.path.exec(path)?.slice(1) ?? []).map(unescaped);
}

/** A part that is no valid escape stays as it is. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function unknownPath(path: string): { readonly scope: 'own' | 'leader'; readonly answer: Answer } {
  if (path.startsWith('/pd/api/v2/')) return { scope: 'leader', answer: NOT_FOUND_V2 };
  return { scope: path.startsWith('/pd/') ? 'leader' : 'own', answer: NOT_FOUND };
}
