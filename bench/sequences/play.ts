import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leadersByStore } from '../../chaos/tikv/leaders.js';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import { launchLab } from '../../subjects/tikv/lab/labd/launch.js';
import { createStoreClient } from '../../subjects/tikv/lab/store/client.js';
import { type Load, startLoad } from '../../subjects/tikv/lab/store/load.js';
import { doHarm } from './harm.js';
import { type Recorder, scaleOf, startRecorder } from './recorder.js';
import { leanRows, NO_ANSWER, type Recording, type Row, unlistedFrom } from './rows.js';
import type { FaultScene } from './scenes.js';

const REGIONS = 24;
const OPS_PER_SECOND = 80;
/** The lab under the load that was on the real cluster. */
export const LAB_IN_WORDS = `stand-in, 3 PDs, 4 stores, ${REGIONS} regions, ${OPS_PER_SECOND} ops/s`;

const HEALTHY_MS = 60_000;
/** Seconds of the profile `real` that are recorded before a fault. */
const BEFORE_S = 12;
/** Close enough to the age of a heartbeat that a scene asks for. */
const AGE_WITHIN_S = 1;

/** Plays a fault on a fresh lab and records it. */
export async function recordScene(scene: FaultScene): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'medic-sequences-'));
  const launched = launchLab({ dir: join(folder, 'lab'), regions: REGIONS });
  try {
    const lab = await launched.ready;
    const health = await lab.waitHealthy({ deadlineMs: HEALTHY_MS });
    if (!health.healthy) throw new Error(`the lab is not healthy: ${health.missing.join('; ')}`);
    return await underLoad(lab, (load) => play({ lab, load, scene, folder }));
  } finally {
    await launched.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function underLoad<T>(lab: Lab, work: (load: Load) => Promise<T>): Promise<T> {
  const pd = lab.topology().pd.map(({ clientUrl }) => clientUrl);
  const client = createStoreClient({ pd, attemptMs: 2_000 / scaleOf(lab), giveUpMs: 15_000 / scaleOf(lab) });
  const load = startLoad({ client, opsPerSecond: OPS_PER_SECOND, regions: REGIONS });
  try {
    return await work(load);
  } finally {
    await load.stop();
    client.close();
  }
}

interface Play {
  readonly lab: Lab;
  readonly load: Load;
  readonly scene: FaultScene;
  readonly folder: string;
}

async function play({ lab, load, scene, folder }: Play): Promise<Recording> {
  const realSeconds = (s: number) => sleep((s * 1_000) / scaleOf(lab));
  const recorder = startRecorder({ lab, load });
  await realSeconds(BEFORE_S);
  const names = await storeNames(lab);
  const [most = ''] = [...(await leadersByStore(lab.topology()))].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (scene.heartbeatAgeS !== undefined) await heartbeatAged({ lab, recorder, store: most, ageS: scene.heartbeatAgeS });
  const target =
    scene.heartbeatAgeS === undefined ? ({ pick: 'most-leaders' } as const) : ({ pick: 'named', name: most } as const);
  const done = await doHarm(scene.harm, { lab, most, target, folder });
  await sleep(done.at + (scene.heldS * 1_000) / scaleOf(lab) - Date.now());
  await done.heal();
  const healedAt = Date.now();
  await realSeconds(scene.watchedS);
  await recorder.stop();
  const rows = recorder.rows(done.at);
  return {
    scenario: scene.scene,
    what: done.what,
    healed_at_s: Math.round(((healedAt - done.at) / 100) * scaleOf(lab)) / 10,
    stores_by_id: names,
    pd_leader_before: leaderBefore(rows),
    unlisted_from_s: unlistedFrom(rows),
    rows: leanRows(rows),
  };
}

/** The last that any member named before the fault. */
function leaderBefore(rows: readonly Row[]): string {
  const named = rows.filter(({ s }) => s < 0).flatMap(({ pd }) => [pd].flat().filter((word) => /^pd-\d+$/.test(word)));
  return named.at(-1) ?? '';
}

interface AgedOptions {
  readonly lab: Lab;
  readonly recorder: Recorder;
  readonly store: string;
  readonly ageS: number;
}

/** Waits for the moment in which the last heartbeat of a store is so old. */
async function heartbeatAged({ lab, recorder, store, ageS }: AgedOptions): Promise<void> {
  const names = await storeNames(lab);
  const deadline = Date.now() + HEALTHY_MS;
  while (Date.now() < deadline) {
    const stores = recorder.rows(0).at(-1)?.stores ?? NO_ANSWER;
    const cell = Object.entries(stores === NO_ANSWER ? {} : stores).find(([id]) => names[id] === store)?.[1];
    if (cell !== undefined && Math.abs(cell[5] - ageS) <= AGE_WITHIN_S) return;
    await sleep(20);
  }
  throw new Error(`no heartbeat of ${store} was ever ${ageS} s old`);
}

async function storeNames(lab: Lab): Promise<Record<string, string>> {
  const { pd, stores } = lab.topology();
  for (const { clientUrl } of pd) {
    const response = await fetch(`${clientUrl}/pd/api/v1/stores`).catch(() => null);
    if (response?.status !== 200) continue;
    const listed = (await response.json()) as { stores: { store: { id: number; address: string } }[] };
    return Object.fromEntries(
      listed.stores.map(({ store }) => [
        String(store.id),
        stores.find(({ address }) => address === store.address)?.name ?? store.address,
      ]),
    );
  }
  throw new Error('no PD lists the stores');
}
