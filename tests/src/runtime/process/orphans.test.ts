import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectClient } from '../../../../src/runtime/connection.js';
import { packageRoot } from '../../../../src/runtime/package-root.js';
import { answers } from '../../../../src/runtime/process/dev-server.js';
import { type RunningInstance, readInstance } from '../../../../src/runtime/process/instance.js';
import { setRetention } from '../../../../src/runtime/retention.js';
import { until } from '../../../support/until.js';
import { membersOf, untilEmpty } from './process-groups.js';
import { temporaryFolder } from './temporary.js';

const PARENT = join(packageRoot(), 'tests/fixtures/process/parent.mjs');
const DIST = join(packageRoot(), 'dist');
const UP_WITHIN_MS = 45_000;
const parents: ChildProcess[] = [];

afterEach(async () => {
  for (const parent of parents.splice(0)) {
    if (parent.exitCode !== null || parent.signalCode !== null) continue;
    parent.kill('SIGTERM');
    await once(parent, 'exit');
  }
}, 20_000);

describe('a parent with Temporal and a child', () => {
  it('leaves no orphan 5 s after a kill -9', async () => {
    const { parent, groups } = await started();
    expect(membersOf(groups)).toHaveLength(3);
    parent.kill('SIGKILL');
    expect(await untilEmpty(groups, { deadlineMs: 5000 })).toBeLessThan(5000);
  }, 60_000);

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'has ended everything when it exits after %s',
    async (signal, code) => {
      const { parent, groups } = await started();
      parent.kill(signal);
      expect(await once(parent, 'exit')).toEqual([code, null]);
      expect(membersOf(groups)).toEqual([]);
    },
    60_000,
  );

  it('has Temporal again, with its data and at its address, after a kill -9 of the keeper', async () => {
    const { home, instance } = await started();
    await retentionOf(instance, { setDays: 30 });
    process.kill(instance.processes.temporal ?? 0, 'SIGKILL');
    const again = await until('another keeper', () => otherKeeper(home, instance), { deadlineMs: 10_000 });
    expect(again.address).toBe(instance.address);
    await until('Temporal answers', async () => ((await answers(instance)) ? true : undefined), {
      deadlineMs: UP_WITHIN_MS,
    });
    expect(await retentionOf(instance, {})).toBe('2592000');
    expect(membersOf([instance.processes.temporal ?? 0])).toEqual([]);
  }, 120_000);

  it('runs beside another one on another home, whose end it does not notice', async () => {
    const [one, two] = await Promise.all([started(), started()]);
    expect(one.instance.address).not.toBe(two.instance.address);
    one.parent.kill('SIGKILL');
    await untilEmpty(one.groups, { deadlineMs: 5000 });
    expect(membersOf(two.groups)).toHaveLength(3);
    expect(await answers(two.instance)).toBe(true);
  }, 90_000);

  it('refuses to start a second time on its home, and nothing of the second is left', async () => {
    const { home, groups } = await started();
    const second = launch(home);
    const [code] = await once(second.parent, 'exit');
    expect(second.said()).toMatch(
      /^MEDIC_INSTANCE_RUNNING {2}a Medic runs on .* already \(pid \d+, since .*\)\. Use its verbs, .*\n$/,
    );
    expect(code).toBe(1);
    expect(membersOf(groups)).toHaveLength(3);
  }, 60_000);
});

async function started(): Promise<{ parent: ChildProcess; home: string; instance: RunningInstance; groups: number[] }> {
  const home = temporaryFolder();
  const { parent, said } = launch(home);
  await until('the parent is up', () => (said() === 'up\n' ? true : undefined), {
    deadlineMs: UP_WITHIN_MS,
    seen: said,
  });
  const instance = readInstance({ home });
  return { parent, home, instance, groups: Object.values(instance.processes) };
}

function launch(home: string): { parent: ChildProcess; said: () => string } {
  const parent = spawn(process.execPath, [PARENT, DIST, home], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [parent.stdout, parent.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  parents.push(parent);
  return { parent, said: () => text };
}

function otherKeeper(home: string, { processes }: RunningInstance): RunningInstance | undefined {
  const found = readInstance({ home });
  const pid = found.processes.temporal;
  return pid !== undefined && pid !== processes.temporal ? found : undefined;
}

async function retentionOf(instance: RunningInstance, { setDays }: { setDays?: number }): Promise<string> {
  const { connection } = await connectClient(instance);
  const { namespace } = instance;
  if (setDays !== undefined) await setRetention({ connection, namespace, days: setDays });
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  await connection.close();
  return String(config?.workflowExecutionRetentionTtl?.seconds);
}
