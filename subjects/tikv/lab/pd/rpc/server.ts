import type { Socket } from 'node:net';
import {
  loadPackageDefinition,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceClientConstructor,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { assetPath } from '../../assets.js';
import { ProposalLost } from '../group.js';
import type { PdNode } from '../node.js';
import { RpcFailure } from './errors.js';
import { regionHeartbeat, tso } from './streams.js';
import { UNARY, type Unary } from './unary.js';

export interface RpcOptions {
  readonly node: PdNode;
  /** Distance of two keep-alives on a heartbeat stream (PD: 60 s). */
  readonly keepAliveMs: number;
}

/** PD's gRPC side, to be given connections by the shared port. */
export interface RpcServer {
  take(socket: Socket): void;
  close(): void;
}

export function createRpcServer({ node, keepAliveMs }: RpcOptions): RpcServer {
  const server = new Server();
  server.addService(pdService(), {
    ...Object.fromEntries(Object.entries(UNARY).map(([name, answer]) => [name, unary(node, answer as Unary<unknown>)])),
    RegionHeartbeat: (stream: Parameters<typeof regionHeartbeat>[1]) => regionHeartbeat(node, stream, { keepAliveMs }),
    Tso: (stream: Parameters<typeof tso>[1]) => tso(node, stream),
  } satisfies UntypedServiceImplementation);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    take: (socket) => injector.injectConnection(socket),
    close: () => server.forceShutdown(),
  };
}

function unary(node: PdNode, answer: Unary<unknown>) {
  return (call: { readonly request: unknown; readonly metadata: Metadata }, done: sendUnaryData<object>): void => {
    Promise.resolve()
      .then(() => answer(node, call.request, call.metadata))
      .then((response) => done(null, response))
      .catch((error: unknown) => done(failure(error)));
  };
}

function failure(error: unknown): { readonly code: status; readonly details: string } {
  if (error instanceof RpcFailure) return { code: error.code, details: error.details };
  if (error instanceof ProposalLost) {
    return { code: status.UNKNOWN, details: '[PD:etcd:ErrEtcdTxnInternal]internal etcd transaction error occurred' };
  }
  return { code: status.INTERNAL, details: error instanceof Error ? error.message : String(error) };
}

function pdService(): ServiceDefinition {
  const definition = loadSync(assetPath('subjects/tikv/lab/pdpb.proto'), {
    longs: String,
    enums: String,
    bytes: Buffer,
    defaults: true,
    keepCase: true,
  });
  const { pdpb } = loadPackageDefinition(definition) as unknown as { pdpb: { PD: ServiceClientConstructor } };
  return pdpb.PD.service;
}
