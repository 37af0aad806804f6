import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { costOfAll } from '../../../../../bench/process-cost.js';
import { faultOf } from '../../../../../chaos/faults.js';
import { openChaosJournal } from '../../../../../chaos/journal.js';
import { injectFault } from '../../../../../chaos/run.js';
import type { Lab } from '../../../../../subjects/tikv/lab/labd/client.js';
import { type LaunchedLab, launchLab } from '../../../../../subjects/tikv/lab/labd/launch.js';
import { isAlive } from '../../../../../subjects/tikv/lab/labd/process-look.js';
import { createStoreClient } from '../../../../../subjects/tikv/lab/store/client.js';
import { regionKey } from '../../../../../subjects/tikv/lab/store/layout.js';
import { until } from '../../../../support/until.js';

/** One lab through its life; each test goes on from the one before. */
describe('the whole lab', () => {
  const dir = mkdtempSync(join(tmpdir(), 'medic-whole-lab-'));
  const journalDir = mkdtempSync(join(tmpdir(), 'medic-chaos-'));
  let launched: LaunchedLab;
  let lab: Lab;
  let blocker: Server | undefined;
  beforeAll(async () => {
    launched = launchLab({ dir });
    lab = await launched.ready;
    await healthy(30_000);
  }, 60_000);
  afterAll(async () => {
    await launched?.stop();
    blocker?.close();
    rmSync(journalDir, { recursive: true, force: true });
    rmSync(dir, { recursive: true, force: true });
  });

  const healthy = async (deadlineMs: number, leaders: 'spread' | 'anywhere' = 'spread') =>
    expect(await lab.waitHealthy({ deadlineMs, leaders })).toEqual({ healthy: true, tookMs: expect.any(Number) });
  const nodes = async () =>
    (await lab.ps()).map(({ pid, processStart }) => ({ pid: pid ?? 0, start: processStart ?? '' }));
  const regions = Array.from({ length: 24 }, (_, region) => region);
  const withClient = async <T>(use: (client: ReturnType<typeof createStoreClient>) => Promise<T>) => {
    const client = createStoreClient({
      pd: lab.topology().pd.map(({ clientUrl }) => clientUrl),
      attemptMs: 2_000,
      giveUpMs: 15_000,
    });
    try {
      return await use(client);
    } finally {
      client.close();
    }
  };
  const writeAll = (value: string) =>
    withClient(async (client) => {
      const results = await Promise.all(regions.map((region) => client.put(regionKey(region, '-test'), value)));
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
    });
  const readAll = () =>
    withClient(async (client) => {
      const results = await Promise.all(regions.map((region) => client.get(regionKey(region, '-test'))));
      return results.map((result) => (result.ok ? result.value : result));
    });

  it('takes at most 900 MiB, labd included', async () => {
    const pids = [(await lab.identity()).pid, ...(await nodes()).map(({ pid }) => pid)];
    expect(costOfAll(pids).rssBytes / 1024 / 1024).toBeLessThanOrEqual(900);
  });

  it('keeps written data when every node is stopped and started', async () => {
    await writeAll('one');
    const names = (await lab.ps()).map(({ name }) => name);
    await Promise.all(names.map((name) => lab.stop(name)));
    expect((await lab.ps()).map(({ state, stoppedByRequest }) => ({ state, stoppedByRequest }))).toEqual(
      names.map(() => ({ state: 'exited', stoppedByRequest: true })),
    );
    await Promise.all(names.map((name) => lab.start(name)));
    await healthy(30_000, 'anywhere');
    expect(await readAll()).toEqual(regions.map(() => 'one'));
  }, 60_000);

  it('goes on without the store that led most regions, and is whole again when it is started', async () => {
    const { injection, confirmation } = await injectFault({
      fault: 'node_kill',
      labDir: dir,
      target: { pick: 'most-leaders' },
      journal: openChaosJournal(journalDir),
    });
    expect(confirmation.confirmed).toBe(true);
    expect(await faultOf(injection).truth(injection)).toBe('present');
    await writeAll('two');
    await lab.start(injection.target);
    await healthy(30_000, 'anywhere');
    expect(await faultOf(injection).truth(injection)).toBe('gone');
    expect(await readAll()).toEqual(regions.map(() => 'two'));
  }, 60_000);

  it('leaves no node within 5 s of kill -9 of labd, and the next labd finds the data, on other ports if it must', async () => {
    const before = await nodes();
    expect(before.filter(isAlive)).toHaveLength(7);
    launched.process.kill('SIGKILL');
    await until('every node has ended', () => (before.some(isAlive) ? undefined : true), {
      deadlineMs: 5_000,
      seen: () => before.filter(isAlive),
    });
    const { hostname, port } = new URL(lab.topology().pd[0]?.clientUrl ?? '');
    blocker = createServer().listen(Number(port), hostname);
    launched = launchLab({ dir });
    lab = await launched.ready;
    expect(lab.topology().pd[0]?.clientUrl).not.toContain(port);
    await healthy(30_000, 'anywhere');
    expect(await readAll()).toEqual(regions.map(() => 'two'));
  }, 60_000);

  it('ends within 2 s of SIGTERM', async () => {
    const before = await nodes();
    launched.process.kill('SIGTERM');
    await until('labd ended', () => launched.process.exitCode ?? undefined, { deadlineMs: 2_000 });
    expect(before.filter(isAlive)).toEqual([]);
  });
});
