import { type Connection, type LinkServer, listen } from '../peer-link.js';
import type { ClientReply, ClientRequest, LeaderHint, RegionError } from './client-protocol.js';
import type { StoreMetrics } from './metrics.js';
import type { MultiRaft } from './multi-raft.js';
import { isIncomingFrame, type RaftFrame } from './store-frames.js';
import type { LocalError, RegionResult } from './waiting.js';

export interface PortOptions {
  readonly host: string;
  readonly port: number;
  /** Null until the regions exist: before that every region is unknown. */
  readonly raft: () => MultiRaft | null;
  readonly addressOf: (storeId: number) => string | undefined;
  readonly metrics: StoreMetrics;
}

/** Listens for clients and for other stores on one port, as TiKV does on 20160. */
export function openPort(options: PortOptions): Promise<LinkServer> {
  const { host, port } = options;
  return listen({ host, port, onFrame: (message, connection) => void receive(message, connection, options) });
}

async function receive(message: unknown, connection: Connection, options: PortOptions): Promise<void> {
  if (!isIncomingFrame(message)) return connection.close();
  switch (message.kind) {
    case 'raft':
      return stepAll(message, options);
    case 'ping':
      connection.send({ kind: 'pong', seq: message.seq });
      return;
    default:
      connection.send(await answer(message, options));
  }
}

function stepAll({ fromStore, letters }: RaftFrame, { raft, metrics }: PortOptions): void {
  metrics.raftReceived.inc(letters.length);
  metrics.raftReceivedByStore.inc({ store: fromStore }, letters.length);
  for (const letter of letters) raft()?.step(letter, fromStore);
}

async function answer(request: ClientRequest, options: PortOptions): Promise<ClientReply> {
  const end = options.metrics.grpcSeconds.startTimer({ type: `raw_${request.kind}`, priority: 'medium' });
  const { id } = request;
  const result = await serve(request, options.raft());
  end();
  if (!result.ok) return { kind: 'error', id, error: withAddress(result.error, request.regionId, options) };
  return request.kind === 'put' ? { kind: 'done', id } : { kind: 'value', id, value: result.value };
}

async function serve(request: ClientRequest, raft: MultiRaft | null): Promise<RegionResult<string | null>> {
  if (raft === null) return { ok: false, error: { kind: 'RegionNotFound' } };
  if (request.kind === 'get') return raft.read(request.regionId, request.key);
  return raft.write(request.regionId, request);
}

function withAddress(error: LocalError, regionId: number, options: PortOptions): RegionError {
  if (error.kind !== 'NotLeader') return error;
  return { kind: 'NotLeader', hint: hintFor(error.leaderPeer, regionId, options) };
}

function hintFor(peerId: number | null, regionId: number, { raft, addressOf }: PortOptions): LeaderHint | null {
  const storeId = peerId === null ? undefined : raft()?.region(regionId)?.storeOf(String(peerId));
  const address = storeId === undefined ? undefined : addressOf(storeId);
  return storeId === undefined || address === undefined ? null : { storeId, address };
}
