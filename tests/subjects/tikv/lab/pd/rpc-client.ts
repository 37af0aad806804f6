import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { assetPath } from '../../../../../subjects/tikv/lab/assets.js';

type Call = (
  request: object,
  metadata: Metadata,
  options: object,
  done: (error: ServiceError | null, answer: Answer) => void,
) => void;

/** Answers as proto-loader gives them, loosely typed: tests assert what they read. */
export interface Answer {
  readonly header: { readonly cluster_id: string; readonly error: { type: string; message: string } | null };
  readonly [field: string]: unknown;
}

export interface HeartbeatStream {
  write(request: object): void;
  end(): void;
  on(event: 'data', take: (answer: Answer) => void): void;
  on(event: 'status', take: (status: { code: number; details: string }) => void): void;
  on(event: 'error', take: (error: ServiceError) => void): void;
}

/** A client of `pdpb.PD` that speaks as stores do. */
export class RpcClient {
  readonly #client: Client & Record<string, unknown>;

  constructor(clientUrl: string) {
    const definition = loadSync(assetPath('subjects/tikv/lab/pdpb.proto'), {
      longs: String,
      enums: String,
      bytes: Buffer,
      defaults: true,
      keepCase: true,
    });
    const { pdpb } = loadPackageDefinition(definition) as unknown as {
      pdpb: { PD: new (address: string, insecure: unknown) => Client & Record<string, unknown> };
    };
    this.#client = new pdpb.PD(new URL(clientUrl).host, credentials.createInsecure());
  }

  /** Resolves with the answer, or with `{code, details}` of a gRPC status other than OK. */
  ask(
    method: string,
    request: object,
    metadata: Record<string, string> = {},
  ): Promise<Answer | { code: number; details: string }> {
    const call = (this.#client[method] as Call).bind(this.#client);
    const headers = new Metadata();
    for (const [key, value] of Object.entries(metadata)) headers.set(key, value);
    return new Promise((resolve) => {
      call(request, headers, { deadline: Date.now() + 5_000 }, (error, answer) => {
        resolve(error === null ? answer : { code: error.code, details: error.details });
      });
    });
  }

  stream(method: 'RegionHeartbeat' | 'Tso'): HeartbeatStream {
    return (this.#client[method] as () => HeartbeatStream).call(this.#client);
  }

  close(): void {
    this.#client.close();
  }
}
