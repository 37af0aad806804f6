import { instant } from '../../../src/domain/ids.js';
import { gap, known, mapReading, type Reading, type Seen } from '../../../src/domain/reading.js';
import type { TikvInventory } from '../inventory.js';
import type { EtcdHealth, PdMember, Reach } from '../picture.js';
import type { HttpOutcome } from './http.js';
import { describe } from './pd-client.js';
import { type PdReader, parseAs } from './pd-readings.js';
import { etcdHealthSchema, statusSchema } from './pd-schemas.js';
import { remembered } from './remembered.js';
import type { WitnessOf } from './witness.js';

type Member = TikvInventory['pd'][number];

/** Asks one PD process for the two things it answers without a leader. */
export async function lookAtMember(
  reader: PdReader,
  { name, clientUrl }: Member,
  signal?: AbortSignal,
): Promise<Omit<PdMember, 'witness'>> {
  const [status, health] = await Promise.all([
    askAlone(reader, { name, path: STATUS, signal }),
    askAlone(reader, { name, path: HEALTH, signal }),
  ]);
  return {
    name,
    clientUrl,
    reach: known(reachOf(status.outcome), status.seen),
    startedAt: startOf(status.outcome, status.seen),
    quorum: quorumOf(health.outcome, health.seen),
  };
}

/**
 * The same with half the requests: etcd's health tells that the process answers, too, and when it was started is asked
 * again only after `everyMs`.
 */
export function createMemberLook(reader: PdReader, { name, clientUrl }: Member, everyMs: number) {
  const startedAt = remembered({
    look: async (signal) => {
      const { outcome, seen } = await askAlone(reader, { name, path: STATUS, signal });
      return startOf(outcome, seen);
    },
    everyMs,
    clock: reader.clock,
    isWhole: () => true,
  });
  return async (signal?: AbortSignal): Promise<Omit<PdMember, 'witness'>> => {
    const [start, { outcome, seen }] = await Promise.all([
      startedAt(signal),
      askAlone(reader, { name, path: HEALTH, signal }),
    ]);
    const quorum = quorumOf(outcome, seen);
    const reach = reachOf(outcome);
    // 503 with etcd's own words is the answer of a process that runs and sees no quorum.
    const isItself = quorum.known && reach.kind === 'answers';
    return {
      name,
      clientUrl,
      reach: known(isItself ? { ...reach, status: 200 } : reach, seen),
      startedAt: start,
      quorum,
    };
  };
}

const STATUS = '/pd/api/v1/status';
const HEALTH = '/health';

async function askAlone(
  { pd, clock }: PdReader,
  { name, path, signal }: { readonly name: string; readonly path: string; readonly signal?: AbortSignal | undefined },
) {
  const outcome = await pd.askMember(name, { method: 'GET', path, signal });
  return { outcome, seen: { at: instant(clock()), source: `${name} GET ${path}` } };
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
