import { performance } from 'node:perf_hooks';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import { ProposalLost } from '../group.js';
import type { PdNode } from '../node.js';
import type { OrderStream } from '../schedule/order.js';
import { type HeaderError, headerOf, isBootstrapped, NOT_BOOTSTRAPPED, RpcFailure, requireCluster } from './errors.js';
import { orderToWire, reportFromWire, type WireHeader, type WireRegionHeartbeat } from './wire.js';

interface TsoRequest {
  readonly header: WireHeader | null;
  readonly count: number;
}

/** A stream belongs to a store; PD looks again once a minute, with the next heartbeat, whose it is. */
interface Binding {
  readonly storeId: number;
  readonly atMs: number;
}

const NOT_TSO_LEADER = '[PD:tso:ErrGenerateTimestamp]generate timestamp failed, requested pd is not leader of cluster';

/**
 * Region heartbeats of one store (PD: `GrpcServer.RegionHeartbeat`). Success is silent; PD says something only about
 * errors, in keep-alives, and when it wants something done: all orders of a store go out on the stream that was bound to
 * it last. After this member lost the leadership the stream stays open and silent until the next write, which gets an
 * error and then an end with status OK.
 */
export function regionHeartbeat(
  node: PdNode,
  stream: ServerDuplexStream<WireRegionHeartbeat, object>,
  options: { readonly keepAliveMs: number },
): void {
  const write = (message: object) => {
    if (!stream.writableEnded && !stream.destroyed) stream.write(message);
  };
  const refuse = (error: HeaderError) => write({ header: headerOf(node, error) });
  const orders: OrderStream = { tell: (order) => write({ header: headerOf(node), ...orderToWire(order) }) };
  let bound: Binding | null = null;
  const keepAlive = setInterval(() => {
    if (bound !== null && node.view().isLeader) write({ header: headerOf(node) });
  }, options.keepAliveMs);
  onMessages(stream, {
    over: () => clearInterval(keepAlive),
    take: (heartbeat) => {
      // What was sent before the end arrived: a write now would break the stream, and the store would never hear of it.
      if (stream.writableEnded) return;
      if (!node.view().isLeader || !isBootstrapped(node)) {
        refuse(NOT_BOOTSTRAPPED);
        stream.end();
        return;
      }
      requireCluster(node, heartbeat.header);
      requireStore(node, heartbeat);
      const storeId = Number(heartbeat.leader?.store_id ?? 0);
      const nowMs = performance.now();
      if (bound === null || !node.isBound(bound.storeId) || nowMs - bound.atMs >= options.keepAliveMs) {
        bound = { storeId, atMs: nowMs };
        node.bindStream(storeId, orders);
      }
      const fault = hear(node, heartbeat);
      if (fault !== null) refuse({ type: 'UNKNOWN', message: fault });
    },
  });
}

/** Timestamps on request (PD: `GrpcServer.Tso`), answered in the order in which they were asked for. */
export function tso(node: PdNode, stream: ServerDuplexStream<TsoRequest, object>): void {
  let queue = Promise.resolve();
  const answer = async ({ header, count }: TsoRequest) => {
    if (!node.view().isLeader) throw new RpcFailure(status.UNKNOWN, NOT_TSO_LEADER);
    requireCluster(node, header);
    const timestamp = await node.timestamp(count);
    stream.write({ header: headerOf(node), count, timestamp });
  };
  onMessages(stream, {
    over: () => undefined,
    take: (request) => {
      queue = queue.then(() => answer(request)).catch((error: unknown) => fail(stream, error));
    },
  });
}

function onMessages<Request>(
  stream: ServerDuplexStream<Request, object>,
  { take, over }: { readonly take: (request: Request) => void; readonly over: () => void },
): void {
  stream.on('data', (request: Request) => {
    try {
      take(request);
    } catch (error) {
      fail(stream, error);
    }
  });
  stream.on('end', () => stream.end());
  stream.on('close', over);
  stream.on('cancelled', over);
  stream.on('error', over);
}

function fail<Request>(stream: ServerDuplexStream<Request, object>, error: unknown): void {
  if (error instanceof RpcFailure) stream.emit('error', { code: error.code, details: error.details });
  else if (error instanceof ProposalLost) stream.emit('error', { code: status.UNKNOWN, details: NOT_TSO_LEADER });
  else throw error;
}

function requireStore(node: PdNode, { leader }: WireRegionHeartbeat): void {
  const storeId = leader?.store_id ?? '0';
  if (node.view().state.stores[storeId] !== undefined) return;
  throw new RpcFailure(status.UNKNOWN, `invalid store ID ${storeId}, not found`);
}

/** PD's complaint about a heartbeat, null if it was taken. */
function hear(node: PdNode, heartbeat: WireRegionHeartbeat): string | null {
  const { region } = heartbeat;
  if (region === null || region.id === '0') return 'invalid request region, it has no id';
  if (region.peers.length === 0) return `invalid region, zero region peer count: id:${region.id}`;
  const acceptance = node.hearRegion(reportFromWire(heartbeat, region));
  return acceptance.accepted ? null : acceptance.stale;
}
