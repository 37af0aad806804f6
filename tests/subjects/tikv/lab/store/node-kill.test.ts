import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStoreClient, type StoreClient } from '../../../../../subjects/tikv/lab/store/client.js';
import { type Load, startLoad } from '../../../../../subjects/tikv/lab/store/load.js';
import { withLab } from '../../../../support/lab.js';
import { until } from '../../../../support/until.js';
import { type KillEvent, type KillRow, killOrder, killTimes, recordedRows } from './kill-rows.js';
import { createSampler, type Sampler } from './kill-sampler.js';

const TARGET = 'tikv-0';
/** The fast profile's times are a fifth of the recording's. */
const SCALE = 5;
/** Killed this soon after a store heartbeat, PD has silence to wait for while the others elect, as in the recording. */
const MAX_AGE_MS = 400;

/** A whole lab beside other tests may take its time. */
const test = withLab({ healthyWithinMs: 60_000 });
const rows: KillRow[] = [];
let client: StoreClient;
let load: Load;
let sampler: Sampler;
let healedAtS: number;

beforeAll(async () => {
  const { pd: members, stores } = test.lab.topology();
  const pd = members.map(({ clientUrl }) => clientUrl);
  client = createStoreClient({ pd, attemptMs: 400, giveUpMs: 6_000 });
  load = startLoad({ client, opsPerSecond: 60, regions: 24 });
  sampler = createSampler({ pd, load, stores, target: TARGET });
  await until('operations on every region', () => load.counters().ok >= 48 || undefined, {
    seen: () => load.counters(),
  });
  await until('a fresh heartbeat', isFresh, { everyMs: 20, deadlineMs: 10_000 });

  const killedAt = performance.now();
  const realSeconds = () => ((performance.now() - killedAt) / 1_000) * SCALE;
  const watch = async (what: string, done: (row: KillRow) => boolean, deadlineMs: number) =>
    until(what, async () => sample(realSeconds).then((row) => done(row) || undefined), {
      deadlineMs,
      everyMs: 40,
      seen: () => rows.slice(-3),
    });
  rows.push(await sampler.look(-1));
  process.kill((await test.lab.inspect(TARGET)).pid!, 'SIGKILL');
  await watch('dead, with all leaders gone', ({ state, leaders }) => state === 'Disconnected' && leaders === 0, 30_000);
  await until('labd saw it exit', async () => (await test.lab.inspect(TARGET)).state === 'exited' || undefined);
  healedAtS = realSeconds();
  await test.lab.start(TARGET);
  await watch('back and calm', ({ state, isBusy, s }) => state === 'Up' && !isBusy && s > healedAtS + 10, 30_000);
}, 120_000);

afterAll(async () => {
  await load?.stop();
  client?.close();
});

async function isFresh(): Promise<true | undefined> {
  return (await sampler.heartbeatAgeMs()) < MAX_AGE_MS || undefined;
}

async function sample(realSeconds: () => number): Promise<KillRow> {
  const row = await sampler.look(realSeconds());
  rows.push(row);
  return row;
}

const recording = JSON.parse(
  readFileSync(new URL('../../../../fixtures/tikv-recordings/node_kill.json', import.meta.url), 'utf8'),
);
const recordedOrder = killOrder(killTimes(recordedRows(recording, '1'), recording.healed_at_s), 3);

describe('a killed store of the stand-in, beside the recording of a real one', () => {
  it('shows every event of the recording', () => {
    const times = killTimes(rows, healedAtS);
    const missing = recordedOrder.flat().filter((event) => times[event] === undefined);
    expect({ missing, times }).toEqual({ missing: [], times });
  });

  it('shows them in the order of the recording, as far as that is not chance', () => {
    const times = killTimes(rows, healedAtS);
    const pairs = recordedOrder.flatMap((group, at) =>
      recordedOrder
        .slice(at + 1)
        .flatMap((later) => group.flatMap((a) => later.map((b): [KillEvent, KillEvent] => [a, b]))),
    );
    // Two events of one row happened in an order that nobody saw.
    const swapped = pairs.filter(([a, b]) => times[a]! > times[b]!);
    expect({ swapped, times }).toEqual({ swapped: [], times });
  });

  it('counts one pending peer for each leader that left, at every moment of its death', () => {
    const led = rows[0]!.leaders;
    expect(led).toBe(6);
    const dead = rows.filter(({ s }) => s >= 0 && s < healedAtS);
    expect(dead.map(({ leaders, pending }) => leaders + pending)).toEqual(dead.map(() => led));
  });

  it('loses its leaders in steps, not at once', () => {
    expect(new Set(rows.filter(({ s }) => s < healedAtS).map(({ leaders }) => leaders)).size).toBeGreaterThan(2);
  });

  it('is never called slow: a refused connection is no slow one', () => {
    expect(rows.filter(({ networkSlow, slowScore }) => networkSlow || slowScore !== 1)).toEqual([]);
  });

  it('is called Up again only by its first heartbeat, one interval after the start', () => {
    const times = killTimes(rows, healedAtS);
    expect(times['Up and busy']! - healedAtS).toBeGreaterThan(8);
    expect(times['Up and busy']! - times['status answers']!).toBeLessThan(20);
  });
});
