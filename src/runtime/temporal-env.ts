import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { MedicError } from '../domain/errors.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A Temporal cluster that is there already. */
export interface TemporalPlace {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
}

/** The one that TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE (`default`) name; `null`: Medic brings its own. */
export function temporalOf({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }: Env): TemporalPlace | null {
  if (!TEMPORAL_ADDRESS) return null;
  return { address: TEMPORAL_ADDRESS, namespace: TEMPORAL_NAMESPACE || 'default' };
}

export interface TemporalSecurity {
  readonly tls?: TLSConfig | true;
  readonly apiKey?: string;
}

/**
 * How the cluster of TEMPORAL_ADDRESS is talked to, by the variables of its own command line: TEMPORAL_API_KEY, TEMPORAL_TLS,
 * TEMPORAL_TLS_SERVER_CA_CERT_PATH, TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH, TEMPORAL_TLS_SERVER_NAME.
 * Any other address is one of our own on loopback, which needs nothing of it.
 *
 * @throws MedicError `MEDIC_SECRET_MISSING` for a file that cannot be read
 */
export function securityFor(address: string, env: Env): TemporalSecurity {
  if (address !== env.TEMPORAL_ADDRESS) return {};
  const apiKey = env.TEMPORAL_API_KEY;
  const tls = tlsOf(env) ?? (env.TEMPORAL_TLS === 'true' || apiKey ? true : undefined);
  return { ...(tls === undefined ? {} : { tls }), ...(apiKey ? { apiKey } : {}) };
}

function tlsOf(env: Env): TLSConfig | null {
  const ca = fileOf(env.TEMPORAL_TLS_SERVER_CA_CERT_PATH);
  const crt = fileOf(env.TEMPORAL_TLS_CLIENT_CERT_PATH);
  const key = fileOf(env.TEMPORAL_TLS_CLIENT_KEY_PATH);
  const name = env.TEMPORAL_TLS_SERVER_NAME;
  if (!ca && !crt && !key && !name) return null;
  return {
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(name ? { serverNameOverride: name } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
}

function fileOf(path: string | undefined): Buffer | null {
  if (!path) return null;
  try {
    return readFileSync(path);
  } catch {
    throw new MedicError('MEDIC_SECRET_MISSING', `the file ${path}`);
  }
}
