import type { HttpAccess } from '../../../subjects/tikv/observe/http.js';
import { readSecret, type SecretSource } from '../../config/secret-source.js';
import type { FleetPd } from '../../config/subject.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Certificates and token for a PD, from where medic.yaml says that they are.
 *
 * @throws MedicError `MEDIC_SECRET_MISSING` which names the place
 */
export async function readAccess({ tls, token }: FleetPd, env: Env): Promise<HttpAccess> {
  const read = (source: SecretSource | undefined) => (source ? readSecret(source, env) : undefined);
  const [ca, cert, key, bearer] = await Promise.all([read(tls?.ca), read(tls?.cert), read(tls?.key), read(token)]);
  return {
    ...(tls ? { tls: { ca, cert, key, servername: tls.serverName } } : {}),
    ...(bearer === undefined ? {} : { token: bearer }),
  };
}

export interface KeptAccessOptions {
  readonly pd: FleetPd;
  readonly env: Env;
  readonly warn: (why: string) => void;
  /** Epoch ms. */
  readonly clock: () => number;
}

/** Access that is read again once a minute, because certificates are renewed. What cannot be read now stays as it was. */
export interface KeptAccess {
  current(): HttpAccess;
  refresh(): Promise<void>;
}

const EVERY_MS = 60_000;

export function keepAccess({ pd, env, warn, clock }: KeptAccessOptions): KeptAccess {
  let access: HttpAccess = {};
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    current: () => access,
    async refresh() {
      if (clock() - readAt < EVERY_MS) return;
      readAt = clock();
      try {
        access = await readAccess(pd, env);
      } catch (error) {
        warn((error as Error).message);
      }
    },
  };
}
