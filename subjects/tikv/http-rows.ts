import type { HttpCall } from '../../src/domain/query.js';
import type { CommandClass, HttpRow, Influence } from '../../src/policy/row.js';

/*
 * PD's and TiKV's HTTP by method and path. The first row that fits wins. What no row knows counts as a mutation of
 * unknown reach. Paths come as the caller wrote them, so a path that could be read in two ways is refused first.
 */

const V1 = '^/pd/api/v1';
const READ: CommandClass = { kind: 'read' };

/** Everything: nothing narrower can be said of what PD will move. */
const CLUSTER: Influence = { touches: ['cluster'], takesAway: [] };

/** A store by its id: PD's HTTP does not know our names, so it lies within no cause and needs a person. */
const storeOf = ({ path }: HttpCall): string => `store-${/\/store\/(\d+)/.exec(path)?.[1] ?? 'unknown'}`;

export const HTTP_ROWS: readonly HttpRow[] = [
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method) => [
    ...['pd', 'tikv-status'].map((api) =>
      byHand(api, method, /%2e|%2f|\/\/|\/\.\.?(\/|$)|\\/i, 'the path is ambiguous'),
    ),
    byHand('pd', method, /^\/v3(alpha|beta)?(\/|$)/, "it writes PD's own storage"),
    byHand('pd', method, /debug\/pprof/, 'a profile costs PD seconds of its time'),
    byHand('tikv-status', method, /^\/debug\/(?!pprof\/cmdline)/, 'a profile costs the store seconds of its time'),
    byHand('tikv-status', method, /^\/fail(\/|$)/, 'it injects failures'),
  ]),
  {
    api: 'pd',
    method: 'GET',
    path: /^\/(pd|health|metrics|version|livez|readyz|ready|ping)?(\/|$)/,
    classify: () => READ,
  },
  { api: 'tikv-status', method: 'GET', path: /^\//, classify: () => READ },

  // Last resorts: a wrong call loses data or the identity of the group.
  byHand('pd', 'POST', re('/admin/'), 'it changes what PD knows of regions, ids or time'),
  byHand('pd', 'DELETE', re('/admin/'), 'it makes PD forget regions'),
  byHand('pd', 'DELETE', re('/members/'), 'a removed PD member refuses to come back on its data'),
  byHand('pd', 'DELETE', re('/gc/safepoint/'), 'it can delete data that a reader still needs'),
  byHand('pd', 'DELETE', re('/stores/remove-tombstone$'), 'it removes the record of removed stores'),
  byHand('pd', 'POST', re('/config/cluster-version$'), 'it cannot be taken back'),
  { api: 'pd', method: 'DELETE', path: re('/store/\\d+$'), classify: removeStore },

  moves(mutation('POST', '/leader/(transfer/[^/]+|resign)$', 'reversible', { touches: ['pd'], takesAway: [] })),
  moves(mutation('POST', '/members/name/[^/]+$', 'reversible', { touches: ['pd'], takesAway: [] })),
  { api: 'pd', method: 'POST', path: re('/store/\\d+/state$'), classify: setState },
  { api: 'pd', method: 'POST', path: re('/store/\\d+/(label|weight|limit)$'), classify: changeStore },
  { api: 'pd', method: 'DELETE', path: re('/store/\\d+/label$'), classify: changeStore },
  mutation('DELETE', '/operators(/\\d+)?$', 'irreversible', CLUSTER),
  moves(mutation('POST', '/config/(rule|rules|placement-rule)(/.*)?$', 'irreversible', CLUSTER)),
  moves(mutation('DELETE', '/config/(rule|rules|placement-rule)(/.*)?$', 'irreversible', CLUSTER)),
  { api: 'pd', method: 'POST', path: re('/config$'), classify: setConfig },
  moves(mutation('POST', '/(config/schedule|config/replicate|schedulers|schedulers/[^/]+)$', 'reversible', CLUSTER)),
  moves(mutation('POST', '/scheduler-config/[^/]+/config$', 'reversible', CLUSTER)),
  moves(mutation('DELETE', '/scheduler-config/[^/]+/delete/\\d+$', 'reversible', CLUSTER)),
  moves(mutation('POST', '/(checker/[^/]+|stores/limit|operators)$', 'reversible', CLUSTER)),
  moves(mutation('DELETE', '/schedulers/[^/]+$', 'reversible', CLUSTER)),

  { api: 'tikv-status', method: 'PUT', path: /^\/pause_grpc$/, classify: pauseStore },
  { api: 'tikv-status', method: 'PUT', path: /^\/resume_grpc$/, classify: (call) => touchesStore(call, 'restorative') },
  { api: 'tikv-status', method: 'POST', path: /^\/config$/, classify: (call) => touchesStore(call, 'plain') },
  { api: 'tikv-status', method: 'PUT', path: /^\/log-level$/, classify: (call) => touchesStore(call, 'plain') },
];

function re(rest: string): RegExp {
  return new RegExp(V1 + rest);
}

function byHand(api: string, method: HttpCall['method'], path: RegExp, why: string): HttpRow {
  return { api, method, path, classify: () => ({ kind: 'forbidden', reason: `${why}: a person does that, by hand` }) };
}

function mutation(
  method: HttpCall['method'],
  path: string,
  back: 'reversible' | 'irreversible',
  influence: Influence,
): HttpRow {
  const answer: CommandClass = { kind: 'mutate', influence, reversible: back === 'reversible', restorative: false };
  return { api: 'pd', method, path: re(path), classify: () => answer };
}

/** PD moves leaders or replicas because of it, or no longer moves them. */
function moves(row: HttpRow): HttpRow {
  const classify: HttpRow['classify'] = (call) => {
    const verdict = row.classify(call);
    return verdict.kind === 'mutate' ? { ...verdict, capacity: 'always' } : verdict;
  };
  return { ...row, classify };
}

/** Cancelling works only until the data has moved, which takes seconds where there is little of it. */
function removeStore(call: HttpCall): CommandClass {
  if (call.path.includes('?'))
    return { kind: 'forbidden', reason: 'a forced removal is final: a person does that, by hand' };
  const store = storeOf(call);
  return {
    kind: 'mutate',
    influence: { touches: [store], takesAway: [store] },
    reversible: false,
    restorative: false,
    capacity: 'always',
  };
}

/** `Up` cancels a removal and takes nothing away; every other state begins one. */
function setState(call: HttpCall): CommandClass {
  const store = storeOf(call);
  const cancels = call.path.endsWith('?state=Up');
  const influence = { touches: [store], takesAway: cancels ? [] : [store] };
  return {
    kind: 'mutate',
    influence,
    reversible: cancels,
    restorative: cancels,
    ...(cancels ? {} : { capacity: 'always' }),
  };
}

/**
 * Any setting by its name. The cluster version is one of them and cannot be taken back; what cannot be read may be it.
 */
function setConfig({ body }: HttpCall): CommandClass {
  const names = settingNames(body);
  if (names?.includes('cluster-version')) {
    return { kind: 'forbidden', reason: 'it cannot be taken back: a person does that, by hand' };
  }
  return { kind: 'mutate', influence: CLUSTER, reversible: names !== null, restorative: false, capacity: 'always' };
}

function settingNames(body: string | undefined): readonly string[] | null {
  try {
    const settings: unknown = JSON.parse(body ?? '');
    return typeof settings === 'object' && settings !== null ? Object.keys(settings) : null;
  } catch {
    return null;
  }
}

function changeStore(call: HttpCall): CommandClass {
  return {
    kind: 'mutate',
    influence: { touches: [storeOf(call)], takesAway: [] },
    reversible: true,
    restorative: false,
    capacity: 'always',
  };
}

/** gRPC stops while `/status` goes on to answer: for its clients the store is gone. */
function pauseStore({ node = 'cluster' }: HttpCall): CommandClass {
  return {
    kind: 'mutate',
    influence: { touches: [node], takesAway: [node] },
    reversible: true,
    restorative: false,
    capacity: 'when-healthy',
  };
}

function touchesStore({ node = 'cluster' }: HttpCall, kind: 'restorative' | 'plain'): CommandClass {
  const influence = { touches: [node], takesAway: [] };
  return { kind: 'mutate', influence, reversible: true, restorative: kind === 'restorative' };
}
