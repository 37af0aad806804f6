import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { MedicError } from '../domain/errors.js';
import { callDeadline } from './call-deadline.js';
import { securityFor } from './temporal-env.js';

const CONNECT_WITHIN_MS = 5000;

/** Which Temporal to talk to. */
export interface ConnectOptions {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  readonly dataConverter?: DataConverter;
  /** How long to try, in ms. Default 5 s. */
  readonly withinMs?: number;
}

/** A client and the connection below it, which has to be closed. */
export interface Connected {
  readonly client: Client;
  readonly connection: Connection;
}

/**
 * Connects to Temporal. Every call on it has a deadline, and after an outage it is back within a second: gRPC's own back-off
 * grows to two minutes.
 *
 * @throws MedicError `MEDIC_TEMPORAL_UNREACHABLE`
 */
export async function connectClient(options: ConnectOptions): Promise<Connected> {
  const { namespace, dataConverter } = options;
  const connection = await connect(options);
  return { connection, client: new Client({ connection, namespace, dataConverter }) };
}

async function connect(options: ConnectOptions): Promise<Connection> {
  const connection = connectionFor(options);
  try {
    await connection.ensureConnected();
    return connection;
  } catch (error) {
    // `Connection.connect` would leave its channel behind, which tries for ever and keeps the process alive.
    await connection.close();
    const { address } = options;
    throw new MedicError(
      'MEDIC_TEMPORAL_UNREACHABLE',
      `no Temporal answers at ${address}: ${(error as Error).message}`,
    );
  }
}

function connectionFor({ address, withinMs = CONNECT_WITHIN_MS }: ConnectOptions): Connection {
  return Connection.lazy({
    address,
    ...securityFor(address, process.env),
    connectTimeout: withinMs,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1000 },
    // The deadline stands outside of the retries: it bounds all attempts together.
    interceptors: [callDeadline(), makeGrpcRetryInterceptor(defaultGrpcRetryOptions())],
  });
}
