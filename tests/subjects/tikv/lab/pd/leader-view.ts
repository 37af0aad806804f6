import { membersOf } from '../../../../../subjects/tikv/lab/pd/members.js';
import { Pauses } from '../../../../../subjects/tikv/lab/pd/pauses.js';
import { RegionCache } from '../../../../../subjects/tikv/lab/pd/regions.js';
import type { Ask, Outcome } from '../../../../../subjects/tikv/lab/pd/route.js';
import { answerHere, findRoute } from '../../../../../subjects/tikv/lab/pd/routes.js';
import { apply, type Command, EMPTY_STATE, type PdState } from '../../../../../subjects/tikv/lab/pd/state.js';
import { StoreHeartbeats } from '../../../../../subjects/tikv/lab/pd/stores.js';
import type { PdView } from '../../../../../subjects/tikv/lab/pd/view.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { report, storeMeta } from './samples.js';

const MEMBERS = membersOf(
  ['pd-0', 'pd-1', 'pd-2'].map((name, index) => ({
    name,
    peerUrl: `http://127.0.0.1:${index + 1}`,
    clientUrl: `http://127.0.0.1:${index + 11}`,
  })),
);

/** The state of a cluster with `stores` stores that serve. */
export function clusterState(stores: number): PdState {
  const region = { id: 2, startKey: '', endKey: '', epoch: { confVer: 1, version: 1 }, peers: [] };
  const metas = Array.from({ length: stores }, (_, index) => storeMeta({ id: index + 1, nodeState: 'Serving' }));
  const commands: Command[] = [
    { kind: 'bootstrap', store: metas[0]!, region, atNs: '1000000000' },
    ...metas.map((store): Command => ({ kind: 'put-store', store })),
  ];
  return commands.reduce((state, command) => apply(state, command).state, EMPTY_STATE);
}

/** What a leader of that cluster sees, with one region on its first three stores. */
export function leaderView(known: Partial<PdView> = {}): PdView {
  const [self] = MEMBERS;
  const regions = new RegionCache();
  regions.accept(report({ id: 2, range: ['', ''], version: 1 }));
  return {
    nowNs: 5_000_000_000n,
    times: PROFILES.real.cluster,
    self: self!,
    members: MEMBERS,
    raft: { isLeader: true, leader: self!, term: 1, commitIndex: 1, appliedIndex: 1, leaderChanges: 1 },
    leader: self!,
    isLeader: true,
    state: clusterState(4),
    knownClusterVersion: '0.0.0',
    heartbeats: new StoreHeartbeats(),
    regions,
    pauses: new Pauses(),
    schedule: { prepared: true, operators: [], records: [] },
    tsoMs: 0,
    regionHeartbeats: new Map(),
    process: { startedAt: 0, cpuSeconds: 0, residentBytes: 0, dataDir: '' },
    reachable: new Set(),
    ...known,
  };
}

/** What a leader decides about a request below `/pd/api/v1`. */
export function decide(view: PdView, request: string, body?: unknown): Outcome {
  const [method = '', path = ''] = request.split(' ');
  const url = new URL(`/pd/api/v1${path}`, 'http://pd');
  const ask: Ask = {
    method,
    path: url.pathname,
    query: url.searchParams,
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  };
  return answerHere(view, findRoute(ask), ask);
}
