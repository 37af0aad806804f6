import {
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { assetPath } from '../assets.js';
import type { PdMethods, RegionHeartbeatRequest, RegionHeartbeatResponse } from './pd-messages.js';

/** The bidirectional stream on which a store reports its led regions. */
export type RegionHeartbeatStream = ClientDuplexStream<RegionHeartbeatRequest, RegionHeartbeatResponse>;

/** gRPC client of one PD member. */
export interface PdStub {
  /** Rejects with grpc-js' ServiceError; an error inside the header of the answer is the caller's to read. */
  call<M extends keyof PdMethods>(method: M, request: PdMethods[M]['request']): Promise<PdMethods[M]['response']>;
  regionHeartbeat(): RegionHeartbeatStream;
  close(): void;
}

export interface PdStubOptions {
  /** Client URL of the member, `http://host:port`. */
  readonly url: string;
  /** Deadline of a unary call. */
  readonly unaryMs: number;
  /** Silence after which the connection is probed, and how long the answer may take (TiKV: 10 s and 3 s). */
  readonly keepAliveMs: number;
  readonly keepAliveTimeoutMs: number;
}

/** Opens lazily, with the first call. */
export function createPdStub({ url, unaryMs, keepAliveMs, keepAliveTimeoutMs }: PdStubOptions): PdStub {
  const client = new PdClient(new URL(url).host, credentials.createInsecure(), {
    'grpc.keepalive_time_ms': keepAliveMs,
    'grpc.keepalive_timeout_ms': keepAliveTimeoutMs,
    // A shared subchannel would survive `close` and bring a broken connection into the next session.
    'grpc.use_local_subchannel_pool': 1,
  });
  const methods = client as unknown as Record<string, UnaryMethod> & { RegionHeartbeat(): RegionHeartbeatStream };
  return {
    call: (method, request) =>
      new Promise((resolve, reject) => {
        methods[method]?.call(client, request, { deadline: Date.now() + unaryMs }, (error, reply) =>
          error ? reject(error) : resolve(reply as never),
        );
      }),
    regionHeartbeat: () => methods.RegionHeartbeat(),
    close: () => client.close(),
  };
}

type UnaryMethod = (
  request: unknown,
  options: { deadline: number },
  done: (error: ServiceError | null, reply: unknown) => void,
) => void;

const definition = loadSync(assetPath('subjects/tikv/lab/pdpb.proto'), {
  longs: String,
  enums: String,
  bytes: Buffer,
  defaults: true,
  keepCase: true,
});

const PdClient = (loadPackageDefinition(definition).pdpb as unknown as { PD: ServiceClientConstructor }).PD;
