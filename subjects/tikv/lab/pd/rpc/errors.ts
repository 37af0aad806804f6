import { status } from '@grpc/grpc-js';
import type { PdNode } from '../node.js';
import type { WireHeader } from './wire.js';

/** Ends a call with a gRPC status other than OK. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

export type ErrorType =
  | 'UNKNOWN'
  | 'NOT_BOOTSTRAPPED'
  | 'STORE_TOMBSTONE'
  | 'ALREADY_BOOTSTRAPPED'
  | 'REGION_NOT_FOUND';

/** An error inside an answer whose gRPC status is OK. */
export interface HeaderError {
  readonly type: ErrorType;
  readonly message: string;
}

export const NOT_BOOTSTRAPPED: HeaderError = { type: 'NOT_BOOTSTRAPPED', message: 'cluster is not bootstrapped' };

/** The header of every answer. */
export function headerOf(node: PdNode, error?: HeaderError): object {
  const cluster_id = node.view().state.clusterId ?? '0';
  return error === undefined ? { cluster_id } : { cluster_id, error };
}

/** PD looks at its role first, then at the cluster. */
export function requireLeader(node: PdNode, header: WireHeader | null): void {
  if (!node.view().isLeader) throw new RpcFailure(status.UNAVAILABLE, 'not leader');
  requireCluster(node, header);
}

export function requireCluster(node: PdNode, header: WireHeader | null): void {
  const [need, got] = [node.view().state.clusterId ?? '0', header?.cluster_id ?? '0'];
  if (need === got) return;
  throw new RpcFailure(status.FAILED_PRECONDITION, `mismatch cluster id, need ${need} but got ${got}`);
}

export function isBootstrapped(node: PdNode): boolean {
  return node.view().state.bootstrappedAtNs !== null;
}
