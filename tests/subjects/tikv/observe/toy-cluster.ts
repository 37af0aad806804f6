import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TikvInventory } from '../../../../subjects/tikv/inventory.js';
import type { HostAnswer } from '../../../../subjects/tikv/observe/witness.js';
import { serveHttp, type TestServer } from '../../../support/http-server.js';

/** Answers of a cluster, to be changed by a test while the servers run. */
export interface ToyCluster {
  readonly inventory: TikvInventory;
  /** Path to status and body, for every PD. */
  readonly pd: Map<string, { readonly status: number; readonly body: string }>;
  /** What `labctl ps --json` answers. */
  host: HostAnswer;
  readonly servers: Readonly<Record<string, TestServer>>;
  close(): Promise<void>;
}

const PDS = ['pd-0', 'pd-1', 'pd-2'];
const STORES = ['tikv-0', 'tikv-1', 'tikv-2', 'tikv-3'];

/** Beyond 2^53, as real member ids are. */
export const MEMBER_ID = '11494573939828987730';

/** Real HTTP servers with PD's real shapes, all on loopback. */
export async function startToyCluster(now: Date): Promise<ToyCluster> {
  const pd: ToyCluster['pd'] = new Map();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = pd.get(request.url ?? '') ?? { status: 404, body: '404 page not found\n' };
    response.writeHead(status).end(body);
  };
  const servers = Object.fromEntries([
    ...(await Promise.all(PDS.map(async (name) => [name, await serveHttp(answer)] as const))),
    ...(await Promise.all(STORES.map(async (name) => [name, await serveHttp((_, r) => r.end())] as const))),
  ]);
  for (const [path, body] of Object.entries(healthyAnswers(now))) pd.set(path, { status: 200, body });
  return {
    inventory: {
      subject: 'tikv',
      host: 'lab',
      pd: PDS.map((name) => ({ name, clientUrl: servers[name]!.origin })),
      stores: STORES.map((name, index) => ({
        name,
        address: `127.0.0.1:${20160 + index}`,
        statusAddress: servers[name]!.address,
      })),
    },
    pd,
    host: { exitCode: 0, stdout: JSON.stringify([...PDS, ...STORES].map((name) => node(name))), stderr: '' },
    servers,
    close: async () => void (await Promise.all(Object.values(servers).map((server) => server.close()))),
  };
}

/** One node of labctl's answer. */
export function node(name: string, changes: object = {}) {
  return {
    name,
    role: name.startsWith('pd') ? 'pd' : 'store',
    state: 'running',
    pid: 4_000,
    exitCode: null,
    signal: null,
    startedAt: '2026-11-30T12:00:00.000Z',
    finishedAt: null,
    stoppedByRequest: false,
    starts: 1,
    ...changes,
  };
}

/** Store 4 is tikv-3; ids are not positions. */
const IDS = [1, 12, 14, 4];

/** A store as PD writes it; `changes` go into its status. */
export function pdStore(
  index: number,
  now: Date,
  { state = 'Up', ...changes }: { state?: string } & object = {},
): string {
  const status = {
    capacity: '10GiB',
    available: '9GiB',
    leader_count: 6,
    region_count: 18,
    slow_score: 1,
    last_heartbeat_ts: new Date(now.getTime() - 1_000).toISOString().replace('Z', '123456Z'),
    ...changes,
  };
  const address = `127.0.0.1:${20160 + index}`;
  const meta = `"id":${IDS[index]},"address":"${address}","last_heartbeat":1796040149423173117,"start_timestamp":1796040000`;
  return `{"store":{${meta},"state_name":"${state}"},"status":${JSON.stringify(status)}}`;
}

function healthyAnswers(now: Date): Record<string, string> {
  const member = (name: string) => `{"name":"${name}","member_id":${MEMBER_ID}}`;
  const count = JSON.stringify({ count: 0, regions: [] });
  return {
    '/pd/api/v1/members': `{"header":{"cluster_id":7713933192204896888},"members":[${PDS.map(member).join()}],"leader":${member('pd-1')},"etcd_leader":${member('pd-1')}}`,
    '/pd/api/v1/status': '{"version":"v8.5.5","start_timestamp":1796040000}',
    '/health': '{"health":"true","reason":""}',
    '/pd/api/v1/stores': `{"count":4,"stores":[${[3, 0, 2, 1].map((index) => pdStore(index, now)).join()}]}`,
    '/pd/api/v1/stats/region': '{"count":24,"store_leader_count":{"1":6,"12":6,"14":6,"4":6}}',
    '/pd/api/v1/schedulers': '["balance-leader-scheduler","evict-leader-scheduler"]',
    '/pd/api/v1/schedulers?status=paused': '["balance-leader-scheduler"]',
    '/pd/api/v1/scheduler-config/evict-leader-scheduler/list': '{"store-id-ranges":{"14":[]},"batch":3}',
    '/pd/api/v1/config/schedule':
      '{"leader-schedule-limit":0,"region-schedule-limit":2048,"max-store-down-time":"30m0s","store-limit":{"14":{"add-peer":15,"remove-peer":0.1}}}',
    '/pd/api/v1/regions/check/pending-peer': count,
    '/pd/api/v1/regions/check/down-peer': count,
    '/pd/api/v1/regions/check/miss-peer': count,
    '/pd/api/v1/regions': JSON.stringify({
      count: 1,
      regions: [
        {
          id: 14,
          peers: [
            { id: 15, store_id: 1, role_name: 'Voter' },
            { id: 16, store_id: 14, role_name: 'Voter' },
            { id: 17, store_id: 4 },
            { id: 18, store_id: 12, role_name: 'Learner', is_learner: true },
          ],
          leader: { id: 15, store_id: 1 },
          pending_peers: [{ id: 16, store_id: 14 }],
          down_peers: [{ peer: { id: 17, store_id: 4 }, down_seconds: 700 }],
        },
      ],
    }),
  };
}
