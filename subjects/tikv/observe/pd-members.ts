import { instant } from '../../../src/domain/ids.js';
import { gap, known, mapReading, type Reading, type Seen } from '../../../src/domain/reading.js';
import type { TikvInventory } from '../inventory.js';
import type { EtcdHealth, PdMember, Reach } from '../picture.js';
import type { HttpOutcome } from './http.js';
import { describe } from './pd-client.js';
import { type PdReader, parseAs } from './pd-readings.js';
import { etcdHealthSchema, statusSchema } from './pd-schemas.js';
import type { WitnessOf } from './witness.js';

type Member = TikvInventory['pd'][number];

/** Asks one PD process for the two things it answers without a leader. */
export async function lookAtMember(
  { pd, clock }: PdReader,
  { name, clientUrl }: Member,
  signal?: AbortSignal,
): Promise<Omit<PdMember, 'witness'>> {
  const look = async (path: string) => {
    const outcome = await pd.askMember(name, { method: 'GET', path, signal });
    return { outcome, seen: { at: instant(clock()), source: `${name} GET ${path}` } };
  };
  const [status, health] = await Promise.all([look('/pd/api/v1/status'), look('/health')]);
  return {
    name,
    clientUrl,
    reach: known(reachOf(status.outcome), status.seen),
    startedAt: startOf(status.outcome, status.seen),
    quorum: quorumOf(health.outcome, health.seen),
  };
}

/** The same member with the host's word on its process. */
export const withWitness = <T extends { readonly name: string }>(node: T, witnessOf: WitnessOf) => ({
  ...node,
  witness: witnessOf(node.name),
});

/** What an outcome says about the port. */
export function reachOf(outcome: HttpOutcome): Reach {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answers', status: outcome.status, ms: outcome.ms };
    case 'refused':
      return { kind: 'refused' };
    case 'silent':
      return { kind: 'silent', afterMs: outcome.afterMs, connected: outcome.connected };
    case 'broken':
      return { kind: 'broken', why: outcome.why };
  }
}

function startOf(outcome: HttpOutcome, seen: Seen): Reading<string> {
  const status = bodyAs(outcome, [200], (body) => parseAs(statusSchema, body), seen);
  return mapReading(status, ({ start_timestamp }) => instant(start_timestamp * 1_000));
}

function quorumOf(outcome: HttpOutcome, seen: Seen): Reading<EtcdHealth> {
  const health = bodyAs(outcome, [200, 503], (body) => parseAs(etcdHealthSchema, body), seen);
  return mapReading(health, ({ health, reason }) => ({ healthy: health === 'true', reason }));
}

function bodyAs<T>(
  outcome: HttpOutcome,
  statuses: readonly number[],
  parse: (body: string) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string },
  seen: Seen,
): Reading<T> {
  if (outcome.kind !== 'answered' || !statuses.includes(outcome.status)) return gap(describe(outcome), seen);
  const parsed = parse(outcome.body);
  return parsed.ok ? known(parsed.value, seen) : gap(parsed.why, seen);
}
