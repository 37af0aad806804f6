import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChildSpec } from '../../../../src/runtime/process/child.js';
import { type ChildEvent, createSupervisor, type Supervisor } from '../../../../src/runtime/process/supervisor.js';
import { until } from '../../../support/until.js';
import { membersOf, untilEmpty } from './process-groups.js';
import { temporaryFolder } from './temporary.js';

const FAST = { firstMs: 100, maxMs: 400, steadyMs: 5000, restarts: 3 };
const running: Supervisor[] = [];

afterEach(async () => {
  for (const supervisor of running.splice(0)) await supervisor.stop();
});

describe('a supervisor', () => {
  it('starts a killed child again, and reports both', async () => {
    const { supervisor, events } = supervised();
    await supervisor.start(sh('sleep 60'));
    const first = supervisor.processes().it ?? 0;
    process.kill(first, 'SIGKILL');
    await until('the child lives again', () => other(supervisor.processes().it, first));
    expect(events).toMatchObject([
      { name: 'it', what: 'died', code: null, signal: 'SIGKILL' },
      { name: 'it', what: 'restarted', signal: 'SIGKILL' },
    ]);
  });

  it('waits longer before each restart and gives up after the allowed number', async () => {
    const { supervisor, events } = supervised();
    await supervisor.start(sh('exit 3'));
    await until('it gave up', () => events.find(({ what }) => what === 'gave-up'), { seen: () => events });
    expect(events.filter(({ what }) => what === 'died')).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ what: 'gave-up', code: 3 });
    const waits = events.filter(({ what }) => what === 'restarted').map(({ afterMs }) => afterMs);
    expect(waits[0]).toBeGreaterThanOrEqual(99);
    expect(waits[1]).toBeGreaterThanOrEqual(199);
    expect(waits[2]).toBeGreaterThanOrEqual(399);
  });

  it('counts anew after a child has run long enough', async () => {
    const { supervisor, events } = supervised({ ...FAST, steadyMs: 0 });
    await supervisor.start(sh('exit 3'));
    const restarts = () => events.filter(({ what }) => what === 'restarted').map(({ afterMs }) => afterMs);
    const waits = await until('five restarts', () => (restarts().length > 4 ? restarts() : undefined), {
      seen: restarts,
    });
    expect(Math.max(...waits)).toBeLessThan(400);
    expect(events.some(({ what }) => what === 'gave-up')).toBe(false);
  });

  it('kills what a dead child left in its group before it starts the next one', async () => {
    const { supervisor } = supervised();
    await supervisor.start(sh('sleep 60 & sleep 60'));
    const group = supervisor.processes().it ?? 0;
    await until('a shell and two sleeps', () => (membersOf([group]).length === 3 ? true : undefined));
    process.kill(group, 'SIGKILL');
    await untilEmpty([group], { deadlineMs: 5000 });
  });

  it('stops the last started first, and none is started again', async () => {
    const { supervisor, events, folder } = supervised();
    const noisy = (name: string) =>
      sh(
        `trap 'echo ${name} >> ${folder}/order; exit 0' TERM; echo up >> ${folder}/${name}; while :; do sleep 0.05; done`,
        { name },
      );
    for (const name of ['first', 'second', 'third']) await supervisor.start(noisy(name), up(`${folder}/${name}`));
    await supervisor.stop();
    expect(readFileSync(`${folder}/order`, 'utf8')).toBe('third\nsecond\nfirst\n');
    expect(supervisor.processes()).toEqual({});
    expect(events).toEqual([]);
  });

  it('kills a child, with its group, that does not end in time', async () => {
    const { supervisor, folder } = supervised();
    const deaf = `trap '' TERM; echo up >> ${folder}/deaf; sleep 60 & while :; do sleep 0.05; done`;
    await supervisor.start(sh(deaf, { stopWithinMs: 300 }), up(`${folder}/deaf`));
    const group = supervisor.processes().it ?? 0;
    const startedMs = performance.now();
    await supervisor.stop();
    expect(performance.now() - startedMs).toBeGreaterThan(290);
    await untilEmpty([group], { deadlineMs: 2000 });
  });

  it('refuses a child that ends before it is up, and names its log', async () => {
    const { supervisor } = supervised();
    const spec = sh('echo no such flag >&2; exit 7');
    const started = supervisor.start(spec, { isUp: async () => false, withinMs: 5000 });
    await expect(started).rejects.toMatchObject({
      code: 'MEDIC_PROCESS_NOT_READY',
      message: `it ended (exit 7) before it was up; its log is ${spec.logFile}`,
    });
    expect(readFileSync(spec.logFile, 'utf8')).toBe('no such flag\n');
  });

  it('refuses a child that is not up in time, and ends it', async () => {
    const { supervisor } = supervised();
    const spec = sh('sleep 60');
    const started = supervisor.start(spec, { isUp: async () => false, withinMs: 300 });
    await expect(started).rejects.toMatchObject({ message: `it was not up within 0.3 s; its log is ${spec.logFile}` });
    expect(supervisor.processes()).toEqual({});
  });

  it('refuses a command that does not exist', async () => {
    const { supervisor } = supervised();
    const started = supervisor.start(
      { ...sh(''), command: '/no/such/command' },
      { isUp: async () => false, withinMs: 5000 },
    );
    await expect(started).rejects.toMatchObject({
      message: expect.stringMatching(/^it ended \(exit 127\) before it was up/),
    });
  });

  it('starts nothing more once it was stopped', async () => {
    const { supervisor } = supervised();
    await supervisor.stop();
    await expect(supervisor.start(sh('sleep 60'))).rejects.toMatchObject({ name: 'AbortError' });
  });
});

function supervised(backOff = FAST) {
  const events: ChildEvent[] = [];
  const supervisor = createSupervisor({ report: (event) => events.push(event), backOff });
  running.push(supervisor);
  return { supervisor, events, folder: temporaryFolder() };
}

function sh(script: string, rest: Partial<ChildSpec> = {}): ChildSpec {
  return { name: 'it', command: '/bin/sh', args: ['-c', script], logFile: join(temporaryFolder(), 'log'), ...rest };
}

function other(pid: number | undefined, than: number): number | undefined {
  return pid === than ? undefined : pid;
}

function up(file: string) {
  return { isUp: async () => exists(file), withinMs: 10_000 };
}

function exists(file: string): boolean {
  try {
    return readFileSync(file, 'utf8') !== '';
  } catch {
    return false;
  }
}
