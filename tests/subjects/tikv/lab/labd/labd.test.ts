import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectLab, type Lab } from '../../../../../subjects/tikv/lab/labd/client.js';
import { endLab } from '../../../../../subjects/tikv/lab/labd/down.js';
import { readLabFile } from '../../../../../subjects/tikv/lab/labd/files.js';
import { isAlive } from '../../../../../subjects/tikv/lab/labd/process-look.js';
import { listenerLabs } from '../../../../support/stand-in-nodes.js';
import { until } from '../../../../support/until.js';

const SMALL = { pds: 1, stores: 3 } as const;

/** The processes of all nodes that run. */
async function processesOf(lab: Lab) {
  const nodes = await lab.ps();
  return nodes.flatMap(({ pid, processStart }) =>
    pid !== null && processStart !== null ? [{ pid, start: processStart }] : [],
  );
}

const noneAlive = (processes: Awaited<ReturnType<typeof processesOf>>, deadlineMs: number) =>
  until('every node has ended', () => (processes.some(isAlive) ? undefined : 'ended'), {
    deadlineMs,
    seen: () => processes.filter(isAlive),
  });

const startsWritten = (lab: Lab, node: string) => readFileSync(join(lab.dir, 'data', node, 'starts'), 'utf8').length;

/** Every node has reached its own code, so it handles signals and its pipe. */
const allStarted = async (lab: Lab) => {
  for (const { name } of await lab.ps()) {
    await until(`${name} runs its script`, async () =>
      (await lab.logs(name)).join().includes('starts as') ? name : undefined,
    );
  }
};

describe('labd', () => {
  const labs = listenerLabs();
  const blockers: Server[] = [];
  afterEach(async () => {
    for (const blocker of blockers.splice(0)) blocker.close();
    await labs.end();
  });

  it('ends with all nodes within 2 s of SIGTERM, also when one is frozen', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL });
    const nodes = await processesOf(lab);
    expect(nodes).toHaveLength(4);
    process.kill(nodes[2]?.pid ?? 0, 'SIGSTOP');
    launched.process.kill('SIGTERM');
    await until('labd ended', () => launched.process.exitCode ?? undefined, { deadlineMs: 2_000 });
    expect(launched.process.exitCode).toBe(0);
    expect(nodes.filter(isAlive)).toEqual([]);
  });

  it('ends with all nodes within 2 s when its stdin closes, as it does when its parent dies', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL });
    const nodes = await processesOf(lab);
    launched.process.stdin?.end();
    await until('labd ended', () => launched.process.exitCode ?? undefined, { deadlineMs: 2_000 });
    expect(nodes.filter(isAlive)).toEqual([]);
  });

  it('leaves no node behind within 5 s of kill -9', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL });
    await allStarted(lab);
    const nodes = await processesOf(lab);
    launched.process.kill('SIGKILL');
    await noneAlive(nodes, 5_000);
  });

  it('leaves no node behind within 5 s of kill -9 even if a node is frozen', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL });
    await allStarted(lab);
    const nodes = await processesOf(lab);
    process.kill(nodes[1]?.pid ?? 0, 'SIGSTOP');
    launched.process.kill('SIGKILL');
    await noneAlive(nodes, 5_000);
  });

  it('stays without a parent when it is detached, until somebody ends the lab of its folder', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL, leash: 'none' });
    expect(launched.process.stdin).toBeNull();
    expect((await lab.identity()).pid).toBe(launched.process.pid);
    const nodes = await processesOf(lab);
    expect(await endLab(lab.dir)).toBe('ended');
    expect(nodes.filter(isAlive)).toEqual([]);
    expect(await endLab(lab.dir)).toBe('not-running');
  });

  it('uses data, ports and counts of an earlier run of its folder', async () => {
    const dir = labs.folder();
    const first = await labs.up({ dir, ...SMALL });
    await allStarted(first.lab);
    const before = first.lab.topology();
    const { labId } = await first.lab.identity();
    await first.launched.stop();
    const { lab } = await labs.up({ dir });
    expect(lab.topology()).toEqual(before);
    expect((await lab.identity()).labId).toBe(labId);
    expect(await lab.ps()).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ state: 'running', starts: 2 })),
    );
    await until('tikv-0 wrote its second start', () => (startsWritten(lab, 'tikv-0') === 2 ? true : undefined));
  });

  it('starts after kill -9 what ran, and nothing that had died or was stopped by request', async () => {
    const dir = labs.folder();
    const first = await labs.up({ dir, ...SMALL });
    await first.lab.stop('tikv-0');
    process.kill((await first.lab.inspect('tikv-1')).pid ?? 0, 'SIGKILL');
    await until('tikv-1 died', async () => (await first.lab.inspect('tikv-1')).finishedAt ?? undefined);
    first.launched.process.kill('SIGKILL');
    await until('labd is gone', () => first.launched.process.signalCode ?? undefined);
    const { lab } = await labs.up({ dir });
    expect(await lab.ps()).toMatchObject([
      { name: 'pd-0', state: 'running', starts: 2 },
      { name: 'tikv-0', state: 'exited', stoppedByRequest: true, starts: 1 },
      { name: 'tikv-1', state: 'exited', stoppedByRequest: false, exitCode: 137, starts: 1 },
      { name: 'tikv-2', state: 'running', starts: 2 },
    ]);
  });

  it('moves to other ports when another process has taken one of its own, and keeps the data', async () => {
    const dir = labs.folder();
    const first = await labs.up({ dir, ...SMALL });
    const kept = readLabFile(dir)?.basePort ?? 0;
    await first.launched.stop();
    blockers.push(createServer().listen(kept + 3, '127.0.0.1'));
    const { lab } = await labs.up({ dir });
    expect(readLabFile(dir)?.basePort).not.toBe(kept);
    expect(await lab.ps()).toHaveLength(4);
  });

  it('refuses explicit ports of which one is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((listening) => blocker.listen(0, '127.0.0.1', listening));
    blockers.push(blocker);
    const { port } = blocker.address() as { port: number };
    await expect(labs.up({ dir: labs.folder(), ...SMALL, basePort: port })).rejects.toMatchObject({
      code: 'MEDIC_PORT_TAKEN',
      message: expect.stringContaining(`the ports ${port}-${port + 31} of --base-port ${port} are not all free`),
    });
  });

  it('refuses a folder in which a lab runs already, and leaves that one alone', async () => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), ...SMALL });
    await expect(labs.up({ dir: lab.dir })).rejects.toMatchObject({
      code: 'MEDIC_LAB_RUNNING',
      message: expect.stringContaining(`labd ${launched.process.pid} already runs the lab in ${lab.dir}`),
    });
    expect((await lab.ps()).map(({ starts }) => starts)).toEqual([1, 1, 1, 1]);
  });

  it('refuses another shape than that of the data', async () => {
    const dir = labs.folder();
    const { launched } = await labs.up({ dir, ...SMALL });
    await launched.stop();
    await expect(labs.up({ dir, stores: 4 })).rejects.toMatchObject({
      code: 'MEDIC_USAGE',
      message: expect.stringContaining('--stores 4: this lab was made with 3'),
    });
  });

  it('serves nobody without its token, which only the owner can read', async () => {
    const { lab } = await labs.up({ dir: labs.folder(), ...SMALL });
    const file = readLabFile(lab.dir);
    const stop = `http://127.0.0.1:${file?.basePort}/v1/nodes/tikv-0/stop`;
    const answers = await Promise.all([
      fetch(stop, { method: 'POST' }),
      fetch(stop, { method: 'POST', headers: { authorization: `Bearer ${'x'.repeat(43)}` } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect((await lab.inspect('tikv-0')).state).toBe('running');
    expect(statSync(join(lab.dir, 'lab.json')).mode & 0o777).toBe(0o600);
  });

  it('gives a node none of its own environment beyond the path and the home', async () => {
    const { lab } = await labs.up({ dir: labs.folder(), ...SMALL });
    const { pid } = await lab.inspect('tikv-0');
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => !['PATH', 'HOME', 'TMPDIR', 'TZ'].includes(name ?? ''))).toEqual([]);
  });

  it('is found again by a client after it was restarted', async () => {
    const dir = labs.folder();
    const first = await labs.up({ dir, ...SMALL });
    await first.launched.stop();
    await expect(first.lab.ps()).rejects.toMatchObject({ code: 'MEDIC_LAB_NOT_RUNNING' });
    await labs.up({ dir });
    expect(await first.lab.ps()).toHaveLength(4);
  });

  it('cannot be asked about in a folder without a lab', () => {
    const dir = labs.folder();
    expect(() => connectLab(dir)).toThrow(`no lab was made in ${dir}`);
  });
});
