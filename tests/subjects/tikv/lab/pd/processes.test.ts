import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { waitFor } from '../wait.js';
import { type Name, PdProcesses } from './processes.js';
import { parseExact } from './recordings.js';
import { type Answer, type HeartbeatStream, RpcClient } from './rpc-client.js';

/** Generous, and shorter than jest's, so that the wait says what it missed. Upper bounds are checked where PD has one. */
const PATIENCE = 20_000;
const { pdElectionMs, pdLeaseMs, pdRedirectWaitMs } = PROFILES.fast.cluster;
const REDIRECT_FAILED = '500 [PD:apiutil:ErrRedirect]redirect failed';

let pds: PdProcesses;
const clients: RpcClient[] = [];

beforeAll(async () => {
  pds = await PdProcesses.create();
  pds.startAll();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await pds.close();
});

describe('three PDs as processes', () => {
  it('agree on a leader, and each tells it over HTTP and gRPC on its one port', async () => {
    const leader = await anyLeader();
    for (const name of pds.names) {
      await waitFor({
        what: `${leader} named by ${name}`,
        withinMs: PATIENCE,
        look: () => pds.leaderBy(name),
        until: (seen) => seen === leader,
      });
      const overHttp = parseExact((await pds.get(name, '/pd/api/v1/members')).body) as {
        header: { cluster_id: bigint };
        leader: { name: string };
      };
      const overGrpc = (await rpc(name).ask('GetMembers', {})) as Answer;
      expect(overGrpc.header).toEqual({ cluster_id: String(overHttp.header.cluster_id), error: null });
      expect(overGrpc.leader).toMatchObject({ name: leader });
      expect(overHttp.leader.name).toBe(leader);
    }
  });

  it('answer before the first store as a PD without a cluster', async () => {
    const leader = await anyLeader();
    const { status, body } = await pds.get(leader, '/pd/api/v1/stores');
    expect([status, JSON.parse(body)]).toEqual([
      500,
      '[PD:cluster:ErrNotBootstrapped]TiKV cluster not bootstrapped, please start TiKV first',
    ]);
    expect(await ask(leader, 'GetStore', { store_id: 1 })).toMatchObject({
      header: { error: { type: 'NOT_BOOTSTRAPPED', message: 'cluster is not bootstrapped' } },
    });
  });

  it('take a store in: bootstrap, registration, heartbeats', async () => {
    const leader = await anyLeader();
    const { id } = (await ask(leader, 'AllocID', {})) as Answer;
    expect(id).toBe('1');
    const store = { id: 1, address: '127.0.0.1:20160', version: '8.5.5', start_timestamp: 1_796_040_000 };
    const region = { id: 2, region_epoch: { conf_ver: 1, version: 1 }, peers: [{ id: 3, store_id: 1 }] };
    expect(await ask(leader, 'Bootstrap', { store, region: { ...region, peers: [] } })).toMatchObject({
      header: {
        error: { type: 'UNKNOWN', message: expect.stringContaining('invalid first region peer count 0, must be 1') },
      },
    });
    expect(await ask(leader, 'Bootstrap', { store, region })).toMatchObject({ header: { error: null } });
    expect(await ask(leader, 'Bootstrap', { store, region })).toMatchObject({
      header: { error: { type: 'ALREADY_BOOTSTRAPPED' } },
    });
    expect(JSON.parse((await pds.get(leader, '/pd/api/v1/regions/count')).body)).toEqual({ count: 1, regions: null });
    expect(await ask(leader, 'PutStore', { store })).toMatchObject({ header: { error: null } });
    expect(await ask(leader, 'PutStore', { store: { ...store, id: 4 } })).toMatchObject({
      header: { error: { message: expect.stringMatching(/^duplicated store address: .*already registered by id:1 /) } },
    });
    expect(
      await ask(leader, 'PutStore', { store: { ...store, id: 4, address: 'old:1', version: '7.1.0' } }),
    ).toMatchObject({
      header: { error: { message: 'version should compatible with version  8.5.5, got 7.1.0' } },
    });
    expect(await stateOf(leader)).toBe('Down');
    expect(
      await ask(leader, 'StoreHeartbeat', { stats: { store_id: 1, capacity: 2 ** 37, available: 2 ** 36 } }),
    ).toMatchObject({
      header: { error: null },
      cluster_version: '8.5.5',
    });
    expect(await stateOf(leader)).toBe('Up');
  });

  it('hear regions on a stream that is silent on success and complains in the header', async () => {
    const leader = await anyLeader();
    const { stream, answers } = openStream(leader);
    const heartbeat = await regionHeartbeat(leader);
    stream.write(heartbeat);
    stream.write({ ...heartbeat, region: { ...heartbeat.region, region_epoch: { conf_ver: 1, version: 0 } } });
    const [complaint] = await waitFor({
      what: 'complaint',
      withinMs: PATIENCE,
      look: () => answers,
      until: (seen) => seen.length > 0,
    });
    expect(complaint).toMatchObject({
      region_id: '0',
      header: {
        error: { type: 'UNKNOWN', message: expect.stringMatching(/^region is stale: region id:2 .* origin id:2 /) },
      },
    });
    expect(answers).toHaveLength(1);
    const { body } = await pds.get(leader, '/pd/api/v1/region/id/2');
    expect(JSON.parse(body)).toMatchObject({ id: 2, leader: { store_id: 1 }, approximate_size: 1 });
    expect(await ask(leader, 'ScanRegions', {})).toMatchObject({
      regions: [{ region: { id: '2' }, leader: { store_id: '1' } }],
    });
    stream.end();
  });

  it('refuse on a follower, and on a stream with an end of status OK', async () => {
    const leader = await anyLeader();
    const follower = pds.names.find((name) => name !== leader)!;
    expect(await ask(follower, 'AllocID', {})).toEqual({ code: 14, details: 'not leader' });
    expect(await ask(follower, 'GetRegionByID', { region_id: 2 })).toEqual({
      code: 14,
      details: 'not leader and follower handling not allowed',
    });
    const header = await headerOf(follower);
    expect(
      await rpc(follower).ask('GetRegionByID', { header, region_id: 2 }, { 'pd-allow-follower-handle': 'true' }),
    ).toMatchObject({ region: { id: '2' } });
    const { stream, answers, ends } = openStream(follower);
    stream.write(await regionHeartbeat(follower));
    await waitFor({
      what: 'end of the stream',
      withinMs: PATIENCE,
      look: () => ends,
      until: (seen) => seen.length > 0,
    });
    expect(answers).toMatchObject([{ header: { error: { type: 'NOT_BOOTSTRAPPED' } } }]);
    expect(ends).toMatchObject([{ code: 0 }]);
  });

  it('refuse another cluster', async () => {
    const leader = await anyLeader();
    const { cluster_id } = await headerOf(leader);
    expect(await rpc(leader).ask('AllocID', { header: { cluster_id: '7' } })).toEqual({
      code: 9,
      details: `mismatch cluster id, need ${cluster_id} but got 7`,
    });
  });

  it('give timestamps that rise', async () => {
    const leader = await anyLeader();
    const header = await headerOf(leader);
    const stream = rpc(leader).stream('Tso');
    const answers: Answer[] = [];
    stream.on('data', (answer) => answers.push(answer));
    stream.on('error', () => undefined);
    stream.write({ header, count: 3 });
    stream.write({ header, count: 1 });
    await waitFor({
      what: 'two timestamps',
      withinMs: PATIENCE,
      look: () => answers,
      until: (seen) => seen.length === 2,
    });
    stream.end();
    const [first, second] = answers.map(({ timestamp }) => timestamp as { physical: string; logical: string });
    const order = (each: typeof first) => BigInt(each!.physical) * 262_144n + BigInt(each!.logical);
    expect(order(second)).toBeGreaterThan(order(first));
  });

  it('name a killed leader until its key runs out, then know the regions at once and the stores by their old heartbeats', async () => {
    const leader = await anyLeader();
    const [follower] = pds.names.filter((name) => name !== leader) as [Name];
    await pds.kill(leader);
    const killedAt = performance.now();
    const seen = new Set<string>();
    const next = await waitFor({
      what: 'new leader',
      withinMs: PATIENCE,
      look: async () => {
        const answer = await pds.leaderBy(follower);
        seen.add(answer);
        return answer;
      },
      until: (answer) => isName(answer) && answer !== leader,
    });
    const namedMs = performance.now() - killedAt;
    expect([...seen]).toEqual([REDIRECT_FAILED, next]);
    expect(namedMs).toBeGreaterThan(pdLeaseMs + pdElectionMs);
    // It knows only the heartbeat that was written down; while that is young the store may still count as Up.
    await waitFor({
      what: 'the store to be Disconnected by its old heartbeat',
      withinMs: PATIENCE,
      look: () => stateOf(next as Name),
      until: (state) => state === 'Disconnected',
    });
    expect(JSON.parse((await pds.get(next as Name, '/pd/api/v1/regions/count')).body)).toEqual({
      count: 1,
      regions: null,
    });
    expect((await ask(next as Name, 'AllocID', {})) as Answer).toMatchObject({ id: '1001' });
    pds.start(leader);
    await waitFor({
      what: 'the restarted member following',
      withinMs: PATIENCE,
      look: () => pds.leaderBy(leader),
      until: (answer) => answer === next,
    });
  });

  it('move the leadership on request', async () => {
    const leader = await anyLeader();
    const to = pds.names.find((name) => name !== leader)!;
    const answer = await pds.get(to, `/pd/api/v1/leader/transfer/${to}`, { method: 'POST' });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, 'The transfer command is submitted.']);
    await waitFor({
      what: `${to} as leader`,
      withinMs: PATIENCE,
      look: () => pds.leaderBy(leader),
      until: (seen) => seen === to,
    });
    const refused = await pds.get(to, '/pd/api/v1/leader/transfer/nosuch', { method: 'POST' });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([500, 'no valid pd to transfer etcd leader']);
  });

  it('take changes through any member, show them on all, and forget only pauses with the leader', async () => {
    const leader = await anyLeader();
    const [follower] = pds.names.filter((name) => name !== leader) as [Name];
    expect(await post(follower, '/store/1/weight', { leader: 2, region: 0.5 })).toBe("The store's weight is updated.");
    expect(await post(follower, '/store/1/limit', { rate: 3 })).toBe("The store's limit is updated.");
    expect(await post(leader, '/schedulers', { name: 'evict-leader-scheduler', store_id: 1 })).toBe(
      'The scheduler is created.',
    );
    expect(await post(leader, '/config', { 'schedule.leader-schedule-limit': 6 })).toBe('The config is updated.');
    expect(await post(leader, '/schedulers/balance-leader-scheduler', { delay: 600 })).toBe(
      'Pause or resume the scheduler successfully.',
    );
    for (const name of pds.names) expect(await changesSeenBy(name)).toEqual(CHANGES);
    expect(await read(leader, '/schedulers?status=paused')).toEqual(['balance-leader-scheduler']);
    await pds.get(leader, `/pd/api/v1/leader/transfer/${follower}`, { method: 'POST' });
    await waitFor({
      what: `${follower} as leader`,
      withinMs: PATIENCE,
      look: () => pds.leaderBy(leader),
      until: (seen) => seen === follower,
    });
    for (const name of pds.names) expect(await changesSeenBy(name)).toEqual(CHANGES);
    expect(await read(follower, '/schedulers?status=paused')).toEqual([]);
  });

  it('lose their leader with the quorum: 503 after the wait, and etcd says why', async () => {
    const leader = await anyLeader();
    const others = pds.names.filter((name) => name !== leader);
    await Promise.all(others.map((name) => pds.kill(name)));
    const gone = await waitFor({
      what: '503',
      withinMs: PATIENCE,
      look: () => pds.get(leader, '/pd/api/v1/leader'),
      until: ({ status }) => status === 503,
    });
    expect(gone.body).toBe('[PD:apiutil:ErrRedirectNoLeader]redirect finds no leader\n');
    const again = await pds.get(leader, '/pd/api/v1/stores');
    expect(again.status).toBe(503);
    expect(again.elapsedMs).toBeGreaterThanOrEqual(pdRedirectWaitMs * 0.95);
    expect(await pds.get(leader, '/health')).toMatchObject({
      status: 503,
      body: '{"health":"false","reason":"RAFT NO LEADER"}\n',
    });
    const health = JSON.parse((await pds.get(leader, '/pd/api/v1/health')).body) as { name: string; health: boolean }[];
    expect(health.filter((each) => each.health).map(({ name }) => name)).toEqual([leader]);
    for (const name of others) pds.start(name);
    await anyLeader();
  });

  it('keep the cluster, its stores and its regions through a restart of all', async () => {
    const first = await anyLeader();
    const before = parseExact((await pds.get(first, '/pd/api/v1/members')).body) as { header: { cluster_id: bigint } };
    // A member that was killed before it wrote its regions down hears of them from their leaders' heartbeats alone.
    const { stream } = openStream(first);
    const heartbeat = await regionHeartbeat(first);
    await waitFor({
      what: 'regions on every disk',
      withinMs: PATIENCE,
      everyMs: 100,
      look: () => {
        stream.write(heartbeat);
        return pds.names.filter((name) => existsSync(join(pds.dir, name, 'regions.json')));
      },
      until: (written) => written.length === pds.names.length,
    });
    stream.end();
    await Promise.all(pds.names.map((name) => pds.kill(name)));
    pds.startAll();
    const leader = await anyLeader();
    const after = parseExact((await pds.get(leader, '/pd/api/v1/members')).body) as { header: { cluster_id: bigint } };
    expect(after.header).toEqual(before.header);
    expect(await stateOf(leader)).toMatch(/Disconnected|Down/);
    expect(JSON.parse((await pds.get(leader, '/pd/api/v1/region/id/2')).body)).toMatchObject({
      id: 2,
      leader: { role_name: '' },
    });
    expect(JSON.parse((await pds.get(leader, '/pd/api/v1/schedulers')).body)).toEqual([]);
    expect(await changesSeenBy(leader)).toEqual(CHANGES);
  });

  it('end by SIGTERM and when their parent is gone', async () => {
    const leader = await anyLeader();
    const [second, third] = pds.names.filter((name) => name !== leader) as [Name, Name];
    expect(await pds.stop(leader)).toBe(0);
    expect(await pds.orphan(second)).toBe(0);
    expect(await pds.orphan(third)).toBe(0);
    expect(pds.log(second)).toMatch(/\[INFO] \[main\.go:2] \["closing server"] \[reason="standard input closed"]/);
  });
});

describe('a member that is removed', () => {
  it('is gone from the group at once, ends by itself, and no second one may follow while that would cost the quorum', async () => {
    const three = await PdProcesses.create();
    try {
      three.startAll();
      const leader = await leaderOf(three);
      const [gone, stays] = three.names.filter((name) => name !== leader) as [Name, Name];
      // The log must be longer than what stays behind a snapshot, which is so after seconds in any cluster with stores.
      for (let changes = 0; changes < 12; changes += 1) {
        const body = JSON.stringify({ 'schedule.leader-schedule-limit': 5 + changes });
        expect((await three.get(leader, '/pd/api/v1/config', { method: 'POST', body })).status).toBe(200);
      }
      const remove = (name: Name) => three.get(stays, `/pd/api/v1/members/name/${name}`, { method: 'DELETE' });
      const removed = await remove(gone);
      expect([removed.status, JSON.parse(removed.body)]).toEqual([200, `removed, pd: ${gone}`]);
      const again = await remove(gone);
      expect([again.status, JSON.parse(again.body)]).toEqual([404, `not found, pd: ${gone}`]);
      const health = JSON.parse((await three.get(leader, '/pd/api/v1/health')).body) as { name: string }[];
      expect(health.map(({ name }) => name).toSorted()).toEqual([leader, stays].toSorted());
      await waitFor({
        what: `end of ${gone}`,
        withinMs: PATIENCE,
        look: () => three.log(gone),
        until: (log) => log.includes('the member has been permanently removed from the cluster'),
      });
      await three.kill(stays);
      const refused = await three.get(leader, `/pd/api/v1/members/name/${leader}`, { method: 'DELETE' });
      expect([refused.status, refused.body]).toEqual([500, expect.stringContaining('not enough started members')]);
    } finally {
      await three.close();
    }
  });
});

describe('one of three PDs, started alone', () => {
  it('accepts connections and answers nothing at all', async () => {
    const lonely = await PdProcesses.create();
    try {
      lonely.start('pd-0');
      await waitFor({
        what: 'open port',
        withinMs: PATIENCE,
        look: () => lonely.log('pd-0'),
        until: (log) => log.includes('Welcome'),
      });
      const { status, body } = await lonely.get('pd-0', '/pd/api/v1/status', { withinMs: 1_500 });
      expect([status, body]).toEqual([null, expect.stringContaining('Timeout')]);
    } finally {
      await lonely.close();
    }
  });
});

function isName(text: string): boolean {
  return (pds.names as readonly string[]).includes(text);
}

/** The leader that all who run agree on. */
async function anyLeader(): Promise<Name> {
  return leaderOf(pds);
}

async function leaderOf(group: PdProcesses): Promise<Name> {
  const named = await waitFor({
    what: 'leader that serves',
    withinMs: PATIENCE,
    look: async () => {
      const answers = await Promise.all(group.names.map((name) => group.leaderBy(name)));
      return [...new Set(answers)];
    },
    until: (answers) => answers.length === 1 && isName(answers[0]!),
  });
  return named[0] as Name;
}

function rpc(name: Name): RpcClient {
  const client = new RpcClient(pds.clientUrl(name));
  clients.push(client);
  return client;
}

async function headerOf(name: Name): Promise<{ cluster_id: string }> {
  const { header } = (await rpc(name).ask('GetMembers', {})) as Answer;
  return { cluster_id: header.cluster_id };
}

async function ask(name: Name, method: string, request: object): ReturnType<RpcClient['ask']> {
  return rpc(name).ask(method, { header: await headerOf(name), ...request });
}

/** What was changed by hand above. */
const CHANGES = {
  weight: { leader_weight: 2, region_weight: 0.5 },
  limit: { 'add-peer': 3, 'remove-peer': 3 },
  leaderScheduleLimit: 6,
  evicted: ['1'],
};

async function changesSeenBy(name: Name): Promise<typeof CHANGES> {
  const { status } = (await read(name, '/store/1')) as { status: typeof CHANGES.weight };
  const limits = (await read(name, '/stores/limit')) as Record<string, typeof CHANGES.limit>;
  const schedule = (await read(name, '/config/schedule')) as Record<string, number>;
  const list = (await read(name, '/scheduler-config/evict-leader-scheduler/list')) as { 'store-id-ranges': object };
  return {
    weight: { leader_weight: status.leader_weight, region_weight: status.region_weight },
    limit: limits[1]!,
    leaderScheduleLimit: schedule['leader-schedule-limit']!,
    evicted: Object.keys(list['store-id-ranges']),
  };
}

async function read(name: Name, path: string): Promise<unknown> {
  return parseExact((await pds.get(name, `/pd/api/v1${path}`)).body);
}

async function post(name: Name, path: string, body: object): Promise<unknown> {
  const answer = await pds.get(name, `/pd/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  return JSON.parse(answer.body) as unknown;
}

async function stateOf(name: Name): Promise<string> {
  const { body } = await pds.get(name, '/pd/api/v1/store/1');
  return (parseExact(body) as { store: { state_name: string } }).store.state_name;
}

async function regionHeartbeat(name: Name) {
  const peer = { id: 3, store_id: 1 };
  return {
    header: await headerOf(name),
    region: { id: 2, region_epoch: { conf_ver: 1, version: 1 }, peers: [peer] },
    leader: peer,
    term: 5,
    approximate_size: 1,
  };
}

function openStream(name: Name): { stream: HeartbeatStream; answers: Answer[]; ends: object[] } {
  const stream = rpc(name).stream('RegionHeartbeat');
  const answers: Answer[] = [];
  const ends: object[] = [];
  stream.on('data', (answer) => answers.push(answer));
  stream.on('status', (status) => ends.push(status));
  stream.on('error', () => undefined);
  return { stream, answers, ends };
}
