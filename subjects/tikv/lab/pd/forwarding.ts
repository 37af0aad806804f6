import { type Answer, json, jsonV2, LEADER_NIL_TEXT, plainError } from './answers/answer.js';
import type { Member } from './members.js';
import type { Ask } from './route.js';
import { type Found, findRoute } from './routes.js';
import type { PdView } from './view.js';

/** Header names as Node has them. */
export const ALLOW_FOLLOWER_HEADER = 'pd-allow-follower-handle';
export const REDIRECTOR_HEADER = 'pd-redirector';

/** A member that was just started answers only for itself until it has the group's state. */
export type Stage = 'starting' | 'started';

/** One request with the headers that steer forwarding; its body is read only by whoever serves it. */
export interface Request extends Omit<Ask, 'body'> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a member does with a request. */
export type Plan =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The route is served here; see its need first. */
  | { readonly kind: 'serve'; readonly found: Found }
  | { readonly kind: 'forward'; readonly to: Member }
  /** Served here with two sections that `from` must give. */
  | { readonly kind: 'ask-config'; readonly from: Member }
  /** Look again until a leader is known, up to PD's 3 s, then answer {@link NO_LEADER}. */
  | { readonly kind: 'wait-for-leader' };

/** The leader that this member names does not answer. */
export const REDIRECT_FAILED = plainError(500, '[PD:apiutil:ErrRedirect]redirect failed');
/** No leader was named for 3 s. */
export const NO_LEADER = plainError(503, '[PD:apiutil:ErrRedirectNoLeader]redirect finds no leader');
const NOT_LEADER = plainError(500, '[PD:apiutil:ErrRedirectToNotLeader]redirect to not leader');
const NOT_STARTED = plainError(500, '[PD:server:ErrServerNotStarted]server not started');

/** Decides who answers (PD: `redirector.ServeHTTP`). There is no HTTP redirect: followers ask the leader themselves. */
export function plan(view: PdView, stage: Stage, request: Request): Plan {
  const found = findRoute(request);
  const { scope } = found.route ?? found;
  if (scope === 'own') return { kind: 'serve', found };
  if (stage === 'starting') return { kind: 'answer', answer: NOT_STARTED };
  if (scope === 'config') return planConfig(view, found);
  if (view.isLeader || has(request, ALLOW_FOLLOWER_HEADER)) return { kind: 'serve', found };
  if (has(request, REDIRECTOR_HEADER)) return { kind: 'answer', answer: NOT_LEADER };
  if (view.leader !== null) return { kind: 'forward', to: view.leader };
  if (request.path.startsWith('/pd/api/v2/')) return { kind: 'answer', answer: jsonV2(LEADER_NIL_TEXT, 503) };
  return { kind: 'wait-for-leader' };
}

/** Go's words when the leader's config cannot be fetched. */
export function dialError(leader: Member): Answer {
  const { host } = new URL(leader.clientUrl);
  const url = `${leader.clientUrl}/pd/api/v1/config`;
  return json(`Get "${url}": dial tcp ${host}: connect: connection refused`, 500);
}

function planConfig(view: PdView, found: Found): Plan {
  if (view.isLeader) return { kind: 'serve', found };
  if (view.leader === null) return { kind: 'answer', answer: json(LEADER_NIL_TEXT, 500) };
  return { kind: 'ask-config', from: view.leader };
}

function has(request: Request, header: string): boolean {
  return (request.headers[header] ?? '').length > 0;
}
