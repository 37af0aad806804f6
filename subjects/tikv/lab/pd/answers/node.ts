import { BUILD } from '../build.js';
import type { PdView } from '../view.js';
import { type Answer, json, jsonV2, plainError, text } from './answer.js';

/** `GET /status`: which build, since when. */
export function status(view: PdView): Answer {
  return json({
    build_ts: BUILD.builtAt,
    version: BUILD.version,
    git_hash: BUILD.gitHash,
    start_timestamp: Math.floor(view.process.startedAt),
  });
}

/** `GET /version`: the real build fields are in `/status`. */
export function version(): Answer {
  return json({ version: BUILD.version, build_time: '', hash: '', branch: '' });
}

/** `GET /pd/api/v2/ready`: a leader is ready once it has its regions; followers are always. */
export function ready(view: PdView, ask: { readonly verbose: boolean }): Answer {
  const loaded = !view.isLeader || view.state.bootstrappedAtNs !== null;
  const answer = jsonV2({ region_loaded: loaded }, loaded ? 200 : 500);
  return ask.verbose ? answer : { status: answer.status, body: '' };
}

/** etcd's `/version`. */
export function etcdVersion(): Answer {
  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ etcdserver: BUILD.etcdServer, etcdcluster: BUILD.etcdCluster }),
  };
}

/** etcd's `/health`, once a linearizable read went through. */
export const ETCD_HEALTHY = text(JSON.stringify({ health: 'true', reason: '' }));

/** etcd's `/health` without a Raft leader. */
export const ETCD_NO_LEADER: Answer = plainError(503, JSON.stringify({ health: 'false', reason: 'RAFT NO LEADER' }));

/** etcd's `/livez` and `/readyz`. */
export const ETCD_OK = plainError(200, 'ok');

/** `/dashboard/` of a build without it. */
export const DASHBOARD = text('Dashboard is not built.\n');
