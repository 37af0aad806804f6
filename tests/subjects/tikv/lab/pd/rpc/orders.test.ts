import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PdNode } from '../../../../../../subjects/tikv/lab/pd/node.js';
import { createRpcServer, type RpcServer } from '../../../../../../subjects/tikv/lab/pd/rpc/server.js';
import type { Command, Order, OrderStream } from '../../../../../../subjects/tikv/lab/pd/schedule/order.js';
import { apply } from '../../../../../../subjects/tikv/lab/pd/state.js';
import { waitFor } from '../../wait.js';
import { clusterState, leaderView } from '../leader-view.js';
import { type Answer, RpcClient } from '../rpc-client.js';

const CLUSTER = '7713933192204896888';
const view = leaderView({ state: apply(clusterState(4), { kind: 'name-cluster', clusterId: CLUSTER }).state });
const bound = new Map<number, OrderStream>();

/** A leader that takes every heartbeat and notes whose stream is whose. */
const node = {
  view: () => view,
  hearRegion: () => ({ accepted: true, moved: false }),
  bindStream: (storeId, stream) => void bound.set(storeId, stream),
  isBound: (storeId) => bound.has(storeId),
} as Partial<PdNode> as PdNode;

let rpc: RpcServer;
let port: Server;
let client: RpcClient;

beforeAll(async () => {
  rpc = createRpcServer({ node, keepAliveMs: 60_000 });
  port = createServer((socket) => rpc.take(socket));
  await new Promise<void>((done) => port.listen(0, '127.0.0.1', done));
  const address = port.address() as { readonly port: number };
  client = new RpcClient(`http://127.0.0.1:${address.port}`);
});

afterAll(() => {
  client.close();
  rpc.close();
  port.close();
});

function heartbeat(storeId: number): object {
  const leader = { id: 20 + storeId, store_id: storeId };
  return { header: { cluster_id: CLUSTER }, region: { id: 2, peers: [leader] }, leader };
}

/** A stream on which a region led by this store has reported. */
async function streamOf(storeId: number): Promise<Answer[]> {
  bound.delete(storeId);
  const answers: Answer[] = [];
  const stream = client.stream('RegionHeartbeat');
  stream.on('data', (answer) => answers.push(answer));
  stream.on('error', () => undefined);
  stream.write(heartbeat(storeId));
  await waitFor({
    what: `stream of store ${storeId} bound`,
    withinMs: 5_000,
    look: () => bound.get(storeId),
    until: (seen) => seen !== undefined,
  });
  return answers;
}

function order(command: Command): Order {
  const target = { id: 21, storeId: 1, role: 'Voter' } as const;
  return { storeId: 1, regionId: 2, epoch: { confVer: 5, version: 3 }, target, command };
}

async function heard(answers: Answer[]): Promise<Answer> {
  const seen = await waitFor({
    what: 'order',
    withinMs: 5_000,
    look: () => answers,
    until: ({ length }) => length > 0,
  });
  return seen.at(-1)!;
}

describe("PD's orders on a heartbeat stream", () => {
  it('name the region, its epoch and its leader, and ask for one thing', async () => {
    const answers = await streamOf(1);
    const peer = { id: 22, storeId: 2, role: 'Voter' } as const;
    bound.get(1)?.tell(order({ kind: 'transfer-leader', peer, peers: [peer] }));
    expect(await heard(answers)).toMatchObject({
      header: { cluster_id: CLUSTER, error: null },
      region_id: '2',
      region_epoch: { conf_ver: '5', version: '3' },
      target_peer: { id: '21', store_id: '1', role: 'Voter' },
      transfer_leader: { peer: { id: '22', store_id: '2' }, peers: [{ id: '22' }] },
      change_peer_v2: null,
      change_peer: null,
    });
  });

  it('change peers one by one or jointly, and tell an empty list from none', async () => {
    const answers = await streamOf(1);
    const peer = { id: 99, storeId: 4, role: 'Learner' } as const;
    bound.get(1)?.tell(order({ kind: 'change-peers', changes: [{ type: 'AddLearnerNode', peer }] }));
    expect(await heard(answers)).toMatchObject({
      change_peer_v2: { changes: [{ change_type: 'AddLearnerNode', peer: { id: '99', role: 'Learner' } }] },
      transfer_leader: null,
    });
    answers.length = 0;
    bound.get(1)?.tell(order({ kind: 'change-peers', changes: [] }));
    expect(await heard(answers)).toMatchObject({ change_peer_v2: { changes: [] } });
  });

  it('go to the stream that was bound last', async () => {
    const first = await streamOf(1);
    const second = await streamOf(1);
    bound.get(1)?.tell(order({ kind: 'change-peers', changes: [] }));
    await heard(second);
    expect(first).toEqual([]);
  });
});
