import { type ServiceError, status } from '@grpc/grpc-js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import { findLeader, type NamedLeader } from './pd-leader.js';
import type { PdErrorType, PdMethods, WithHeader } from './pd-messages.js';
import { createPdStub, type PdStub, type RegionHeartbeatStream } from './pd-stub.js';
import type { PdTimes } from './times.js';

/** No PD leader answered: the caller tries again when the link found one. */
export class PdUnavailable extends Error {}

/** PD answered, and said no. */
export class PdRefused extends Error {
  constructor(
    readonly type: PdErrorType,
    message: string,
  ) {
    super(message);
  }
}

/** A request without its header, which the link adds. */
export type Headless<M extends keyof PdMethods> = Omit<PdMethods[M]['request'], 'header'>;

/** The way to whoever leads PD now. */
export interface PdLink {
  /** Of the cluster that this store belongs to, else that the first answer named; empty before it. */
  readonly clusterId: string;
  /** Rejects with {@link PdUnavailable} or {@link PdRefused}; the first makes the link look for the leader again. */
  call<M extends keyof PdMethods>(method: M, request: Headless<M>): Promise<PdMethods[M]['response']>;
  /** A new stream to the leader; null while there is none. */
  openStream(): RegionHeartbeatStream | null;
  /** The caller saw the leader fail in a way that no unary call showed. */
  lost(why: string): void;
  close(): void;
}

export interface PdLinkOptions {
  readonly endpoints: readonly string[];
  /** Of the cluster that this store joined earlier; null at its first start. */
  readonly clusterId: string | null;
  readonly times: PdTimes;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  /** A leader was found, perhaps the same as before: streams of the last one must be replaced. */
  readonly onLeader: () => void;
  /** PD belongs to another cluster than this store: it must not go on. */
  readonly onWrongCluster: (message: string) => void;
}

/** Starts to look for the PD leader at once, and does so again whenever it is lost. */
export function createPdLink(options: PdLinkOptions): PdLink {
  const { times, log, metrics } = options;
  let members = [...options.endpoints];
  let clusterId = options.clusterId ?? '';
  let leader: string | null = null;
  let stub: PdStub | null = null;
  let seeking = false;
  let closed = false;
  /** Consecutive losses without a single answer in between; they make the next look wait. */
  let failures = 0;

  async function seek(): Promise<void> {
    if (seeking || closed) return;
    seeking = true;
    for (let found = false; !found && !closed; ) {
      if (failures > 0) await pause(Math.min(times.retryMs * failures, times.retryMaxMs));
      failures += 1;
      metrics.pdReconnects.inc({ type: 'try_connect' });
      const named = await findLeader({ ...times, members, oldLeader: leader });
      if (named === null) metrics.pdReconnects.inc({ type: 'failure' });
      found = named !== null && !closed;
      if (named !== null && found) adopt(named);
    }
    seeking = false;
    if (!closed) options.onLeader();
  }

  function adopt(named: NamedLeader): void {
    metrics.pdReconnects.inc({ type: named.url === leader ? 'no_need' : 'success' });
    if (named.url !== leader) log.info('util.rs', 'connected to PD member', { endpoints: named.url });
    members = [...new Set([...options.endpoints, ...named.members])];
    clusterId ||= named.clusterId;
    leader = named.url;
    stub?.close();
    stub = createPdStub({ ...times, url: named.url });
  }

  function lost(why: string): void {
    if (closed || seeking) return;
    log.warn('util.rs', 'PD leader is lost', { leader, why });
    // Being named is no proof: a member that just failed may be named again at once.
    failures = Math.max(failures, 1);
    void seek();
  }

  async function call<M extends keyof PdMethods>(method: M, request: Headless<M>): Promise<PdMethods[M]['response']> {
    const current = stub;
    if (current === null || seeking) throw new PdUnavailable('no PD leader is known');
    const end = metrics.pdRequestSeconds.startTimer({ type: METRIC_TYPES[method] });
    try {
      const reply = await current.call(method, { ...request, header: { cluster_id: clusterId } });
      failures = 0;
      return checkHeader(reply);
    } catch (error) {
      if (error instanceof PdRefused && error.type !== 'NOT_BOOTSTRAPPED') throw error;
      return fail(error as Error, current);
    } finally {
      end();
    }
  }

  function fail(error: Error, from: PdStub): never {
    if ((error as Partial<ServiceError>).code === status.FAILED_PRECONDITION) {
      options.onWrongCluster(error.message);
      throw error;
    }
    if (from === stub) lost(error.message);
    throw new PdUnavailable(error.message);
  }

  void seek();
  return {
    get clusterId() {
      return clusterId;
    },
    call,
    openStream: () => (seeking ? null : (stub?.regionHeartbeat() ?? null)),
    lost,
    close() {
      closed = true;
      stub?.close();
    },
  };
}

/** Label values of `tikv_pd_request_duration_seconds`. */
const METRIC_TYPES: Record<keyof PdMethods, string> = {
  GetMembers: 'get_members',
  AllocID: 'alloc_id',
  IsBootstrapped: 'is_cluster_bootstrapped',
  Bootstrap: 'bootstrap_cluster',
  PutStore: 'put_store',
  GetStore: 'get_store_async',
  GetRegionByID: 'get_region_by_id',
  StoreHeartbeat: 'store_heartbeat',
};

function checkHeader<T extends WithHeader>(reply: T): T {
  const error = reply.header?.error;
  if (error) throw new PdRefused(error.type, error.message);
  return reply;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
