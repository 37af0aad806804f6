import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lab } from '../../../../../subjects/tikv/lab/labd/client.js';
import type { NodeReport } from '../../../../../subjects/tikv/lab/labd/report.js';
import { listenerLabs } from '../../../../support/stand-in-nodes.js';
import { until } from '../../../../support/until.js';

describe('a node under labd', () => {
  const labs = listenerLabs();
  let lab: Lab;
  beforeAll(async () => {
    ({ lab } = await labs.up({ dir: labs.folder(), pds: 1, stores: 5 }));
    await Promise.all((await lab.ps()).map(({ name }) => started(name)));
  });
  afterAll(() => labs.end());

  /** Signals before that would find a node that does not handle them yet. */
  const started = (name: string, times = 1) =>
    until(`${name} said ${times} times that it starts`, async () => {
      const lines = await lab.logs(name);
      return lines.filter((line) => line.includes('starts as')).length >= times ? lines : undefined;
    });
  const inState = (name: string, state: NodeReport['state']) =>
    until(`${name} is ${state}`, async () => {
      const node = await lab.inspect(name);
      return node.state === state ? node : undefined;
    });
  const pidOf = async (name: string) => (await lab.inspect(name)).pid ?? 0;

  it('is listed with role, process, addresses and start line', async () => {
    const nodes = await lab.ps();
    expect(nodes.map(({ name }) => name)).toEqual(['pd-0', 'tikv-0', 'tikv-1', 'tikv-2', 'tikv-3', 'tikv-4']);
    expect(nodes[1]).toEqual({
      name: 'tikv-0',
      role: 'store',
      state: 'running',
      pid: expect.any(Number),
      processStart: expect.stringMatching(/^\d+$/),
      exitCode: null,
      signal: null,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      finishedAt: null,
      stoppedByRequest: false,
      starts: 1,
      address: lab.topology().stores[0]?.address,
      statusAddress: lab.topology().stores[0]?.statusAddress,
      dataDir: join(lab.dir, 'data', 'tikv-0'),
      hasData: true,
      argv: expect.arrayContaining([process.execPath, '--seed-stores', 'tikv-0,tikv-1,tikv-2,tikv-3,tikv-4']),
    });
  });

  it('that is killed stays dead, with code and signal, and counts as died', async () => {
    process.kill(await pidOf('tikv-0'), 'SIGKILL');
    const node = await inState('tikv-0', 'exited');
    expect(node).toMatchObject({ pid: null, exitCode: 137, signal: 'SIGKILL', stoppedByRequest: false, starts: 1 });
    expect(Date.parse(node.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(node.startedAt));
    expect(await lab.logs('tikv-0', { tail: 1 })).toEqual([expect.stringContaining('["process ended: SIGKILL"]')]);
  });

  it('that is stopped by request says so, and a start clears it and counts', async () => {
    expect(await lab.stop('tikv-1')).toMatchObject({
      outcome: 'stopped',
      node: { state: 'exited', exitCode: 0, signal: null, stoppedByRequest: true },
    });
    expect(await lab.start('tikv-1')).toMatchObject({
      outcome: 'started',
      node: { state: 'running', exitCode: null, finishedAt: null, stoppedByRequest: false, starts: 2 },
    });
    expect(await started('tikv-1', 2)).toContainEqual(expect.stringContaining('["ends: SIGTERM"]'));
  });

  it('that runs is left alone by a start', async () => {
    const before = await lab.inspect('tikv-2');
    expect(await lab.start('tikv-2')).toEqual({ outcome: 'already-running', node: before });
  });

  it('that was frozen goes on when it is unpaused, and one that runs or has ended is left alone', async () => {
    const before = await lab.inspect('tikv-3');
    expect(await lab.unpause('tikv-3')).toEqual({ outcome: 'already-running', node: before });
    process.kill(before.pid ?? 0, 'SIGSTOP');
    await inState('tikv-3', 'paused');
    expect(await lab.unpause('tikv-3')).toEqual({ outcome: 'resumed', node: before });
    await lab.stop('tikv-3');
    expect(await lab.unpause('tikv-3')).toMatchObject({ outcome: 'not-running', node: { stoppedByRequest: true } });
    await lab.start('tikv-3');
  });

  it('that has died is left alone by a stop, and still counts as died', async () => {
    process.kill(await pidOf('tikv-4'), 'SIGKILL');
    await inState('tikv-4', 'exited');
    expect(await lab.stop('tikv-4')).toMatchObject({ outcome: 'already-exited', node: { stoppedByRequest: false } });
  });

  it('that ignores SIGTERM is killed after the grace', async () => {
    writeFileSync(join(lab.dir, 'data', 'tikv-2', 'stubborn'), '');
    expect(await lab.stop('tikv-2', { graceMs: 300 })).toMatchObject({
      outcome: 'killed',
      node: { exitCode: 137, signal: 'SIGKILL', stoppedByRequest: true },
    });
  });

  it('that is asked to start during its stop is started after it', async () => {
    writeFileSync(join(lab.dir, 'data', 'tikv-1', 'stubborn'), '');
    const before = await pidOf('tikv-1');
    const [stop, start] = await Promise.all([lab.stop('tikv-1', { graceMs: 300 }), lab.start('tikv-1')]);
    expect([stop.outcome, start.outcome]).toEqual(['killed', 'started']);
    expect(start.node.pid).not.toBe(before);
  });

  it('that is frozen shows as paused, and a start does not thaw it', async () => {
    const pid = await pidOf('tikv-3');
    process.kill(pid, 'SIGSTOP');
    await inState('tikv-3', 'paused');
    expect(await lab.start('tikv-3')).toMatchObject({ outcome: 'already-running', node: { state: 'paused', pid } });
    process.kill(pid, 'SIGCONT');
    await inState('tikv-3', 'running');
  });

  it('that does not exist is refused by name', async () => {
    await expect(lab.start('tikv-9')).rejects.toMatchObject({
      code: 'MEDIC_LAB_UNKNOWN_NODE',
      message: 'there is no node tikv-9; there are pd-0, tikv-0, tikv-1, tikv-2, tikv-3, tikv-4',
    });
  });
});
