import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceClientConstructor,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { assetPath } from '../../../../../subjects/tikv/lab/assets.js';

/** What a store said on the stream of region heartbeats. */
export interface SeenRegion {
  id: number;
  startKey: string;
  endKey: string;
  version: number;
  leaderStore: number;
  pendingStores: number[];
  downStores: number[];
  term: number;
  confVer: number;
  /** `store:role`, in the order of the message. */
  peers: string[];
  raw: RawHeartbeat;
}

export interface SeenStore {
  id: number;
  address: string;
  startTimestamp: number;
  labels: unknown;
  version: string;
}

/** Just enough PD to look at a store from the other side; it believes everything. */
export interface MiniPd {
  readonly url: string;
  readonly stores: Map<number, SeenStore>;
  readonly regions: Map<number, SeenRegion>;
  /** Every call in order: `StoreHeartbeat 1`, `RegionHeartbeat 1 10`. */
  readonly calls: string[];
  readonly heartbeats: { storeId: number; at: number; stats: Record<string, unknown> }[];
  readonly bootstraps: number;
  /** How often somebody asked who leads. */
  readonly looks: number;
  /** Name this member as leader from now on; a member that is not the leader refuses everything. */
  lead(url: string | null): void;
  /** Refuse region heartbeats as a member does that lost leadership, while unary calls are served. */
  refuseStreams(refuse: boolean): void;
  /** Send this on every open stream. */
  push(message: object): void;
  /** From now on this store is a tombstone. */
  bury(storeId: number): void;
  /** Open streams of region heartbeats. */
  readonly streams: number;
  close(): Promise<void>;
}

export interface MiniPdOptions {
  readonly clusterId?: string;
  /** Shared by members of one cluster. */
  readonly shared?: MiniPdState;
}

export interface MiniPdState {
  nextId: number;
  bootstrapped: boolean;
}

export const newState = (): MiniPdState => ({ nextId: 1, bootstrapped: false });

const proto = loadPackageDefinition(
  loadSync(assetPath('subjects/tikv/lab/pdpb.proto'), {
    longs: String,
    enums: String,
    bytes: Buffer,
    defaults: true,
    keepCase: true,
  }),
).pdpb as unknown as { PD: ServiceClientConstructor };

type Unary = { request: Record<string, never> & Record<string, unknown> };
type Reply = (error: { code: number; details: string } | null, value?: object) => void;

export async function startMiniPd({
  clusterId = '7300000000000000001',
  shared = newState(),
}: MiniPdOptions = {}): Promise<MiniPd> {
  const calls: string[] = [];
  const stores = new Map<number, SeenStore>();
  const regions = new Map<number, SeenRegion>();
  const heartbeats: MiniPd['heartbeats'] = [];
  const streams = new Set<ServerDuplexStream<never, object>>();
  const sockets = new Set<Socket>();
  const buried = new Set<number>();
  let leader: string | null = null;
  let self = '';
  let bootstraps = 0;
  let looks = 0;
  let refusing = false;
  const header = { cluster_id: clusterId };
  const isLeader = () => leader === self;

  const leaderOnly =
    (name: string, serve: (request: Record<string, never>) => object) =>
    ({ request }: Unary, reply: Reply) => {
      if (!isLeader()) return reply({ code: 14, details: 'not leader' });
      if ((request.header as unknown as { cluster_id: string })?.cluster_id !== clusterId) {
        return reply({ code: 9, details: 'mismatch cluster id, need X but got Y' });
      }
      const value = serve(request as never);
      if (name !== 'StoreHeartbeat') calls.push(name);
      return reply(null, { header, ...value });
    };

  const service = {
    GetMembers: (_: Unary, reply: Reply) => {
      looks += 1;
      reply(null, {
        header,
        members: [{ name: 'pd', client_urls: [self] }],
        leader: leader === null ? null : { name: 'pd', client_urls: [leader] },
      });
    },
    AllocID: leaderOnly('AllocID', () => ({ id: shared.nextId++ })),
    IsBootstrapped: leaderOnly('IsBootstrapped', () => ({ bootstrapped: shared.bootstrapped })),
    Bootstrap: leaderOnly('Bootstrap', () => {
      if (shared.bootstrapped) {
        return { header: { cluster_id: clusterId, error: { type: 'ALREADY_BOOTSTRAPPED', message: 'already' } } };
      }
      shared.bootstrapped = true;
      bootstraps += 1;
      return {};
    }),
    PutStore: leaderOnly('PutStore', ({ store }: Record<string, Record<string, unknown>>) => {
      const id = Number(store!.id);
      stores.set(id, {
        id,
        address: String(store!.address),
        startTimestamp: Number(store!.start_timestamp),
        labels: store!.labels,
        version: String(store!.version),
      });
      return {};
    }),
    GetStore: leaderOnly('GetStore', ({ store_id }: Record<string, unknown>) => ({
      store: { address: stores.get(Number(store_id))?.address ?? '' },
    })),
    GetRegionByID: leaderOnly('GetRegionByID', ({ region_id }: Record<string, unknown>) => {
      const raw = regions.get(Number(region_id))?.raw;
      return raw === undefined ? {} : { region: raw.region, leader: raw.leader };
    }),
    StoreHeartbeat: leaderOnly('StoreHeartbeat', ({ stats }: Record<string, Record<string, unknown>>) => {
      if (buried.has(Number(stats!.store_id))) {
        return { header: { ...header, error: { type: 'STORE_TOMBSTONE', message: 'store is tombstone' } } };
      }
      heartbeats.push({ storeId: Number(stats!.store_id), at: performance.now(), stats: stats! });
      calls.push(`StoreHeartbeat ${stats!.store_id}`);
      return {};
    }),
    RegionHeartbeat: (stream: ServerDuplexStream<never, object>) => {
      streams.add(stream);
      stream.on('error', () => undefined);
      stream.on('close', () => streams.delete(stream));
      stream.on('end', () => stream.end());
      stream.on('data', (message: never) => {
        if (stream.writableEnded) return;
        if (!isLeader() || refusing) {
          stream.write({ header: { ...header, error: { type: 'NOT_BOOTSTRAPPED', message: 'not bootstrapped' } } });
          stream.end();
          return;
        }
        const region = seen(message);
        calls.push(`RegionHeartbeat ${region.leaderStore} ${region.id}`);
        regions.set(region.id, region);
      });
    },
  };

  const grpc = new Server();
  grpc.addService(proto.PD.service, service as unknown as UntypedServiceImplementation);
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const http = createHttp((request, response) => {
    const path = request.url ?? '';
    const body = path.endsWith('/stores')
      ? { stores: [...stores.values()].map(({ id, address }) => ({ store: { id, address } })) }
      : { regions: [...regions.values()].map(httpRegion) };
    response.writeHead(isLeader() ? 200 : 500).end(JSON.stringify(body));
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      if (first.subarray(0, 3).toString() === 'PRI') return injector.injectConnection(socket);
      http.emit('connection', socket);
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  self = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  leader = self;

  return {
    url: self,
    stores,
    regions,
    calls,
    heartbeats,
    get bootstraps() {
      return bootstraps;
    },
    get looks() {
      return looks;
    },
    lead(url) {
      leader = url;
    },
    refuseStreams(refuse) {
      refusing = refuse;
    },
    bury: (storeId) => void buried.add(storeId),
    get streams() {
      return streams.size;
    },
    push(message) {
      for (const stream of streams) stream.write({ header, ...message });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      grpc.forceShutdown();
    },
  };
}

export interface RawHeartbeat {
  region: {
    id: string;
    start_key: Buffer;
    end_key: Buffer;
    region_epoch: { version: string; conf_ver: string };
    peers: RawPeer[];
  };
  leader: RawPeer;
  pending_peers: RawPeer[];
  down_peers: { peer: RawPeer }[];
  term: string;
}

interface RawPeer {
  id: string;
  store_id: string;
  role: string;
}

function seen(message: RawHeartbeat): SeenRegion {
  return {
    id: Number(message.region.id),
    startKey: message.region.start_key.toString(),
    endKey: message.region.end_key.toString(),
    version: Number(message.region.region_epoch.version),
    leaderStore: Number(message.leader.store_id),
    pendingStores: message.pending_peers.map((peer) => Number(peer.store_id)),
    downStores: message.down_peers.map(({ peer }) => Number(peer.store_id)),
    term: Number(message.term),
    confVer: Number(message.region.region_epoch.conf_ver),
    peers: message.region.peers.map(({ store_id, role }) => `${store_id}:${role}`),
    raw: message,
  };
}

function httpRegion(region: SeenRegion): object {
  return {
    id: region.id,
    start_key: Buffer.from(region.startKey).toString('hex').toUpperCase(),
    end_key: Buffer.from(region.endKey).toString('hex').toUpperCase(),
    leader: { store_id: region.leaderStore },
    peers: [{ store_id: region.leaderStore }],
  };
}
