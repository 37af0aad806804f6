import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lab } from '../../../../../subjects/tikv/lab/labd/client.js';
import type { LaunchedLab } from '../../../../../subjects/tikv/lab/labd/launch.js';
import { listenerLabs } from '../../../../support/stand-in-nodes.js';
import { until } from '../../../../support/until.js';

describe('labctl', () => {
  const labs = listenerLabs();
  let lab: Lab;
  let launched: LaunchedLab;
  beforeAll(async () => {
    ({ lab, launched } = await labs.up({ dir: labs.folder(), pds: 1, stores: 3 }));
    await until('tikv-0 runs its script', async () =>
      (await lab.logs('tikv-0')).join().includes('starts as') ? lab : undefined,
    );
  });
  afterAll(() => labs.end());

  const labctl = (...args: string[]) =>
    new Promise<{ exit: number | string; out: string; err: string }>((resolve) => {
      execFile(join(lab.dir, 'bin', 'labctl'), args, { env: {} }, (error, out, err) =>
        resolve({ exit: error?.code ?? 0, out, err }),
      );
    });

  it('lists the nodes for people', async () => {
    const { exit, out } = await labctl('ps');
    const [heading, ...rows] = out.trimEnd().split('\n');
    expect(exit).toBe(0);
    expect(heading?.split(/ {2,}/)).toEqual(['NAME', 'STATUS', 'PID', 'STARTS', 'ADDRESS', 'STATUS ADDRESS']);
    expect(rows.map((row) => row.split(' ')[0])).toEqual(['pd-0', 'tikv-0', 'tikv-1', 'tikv-2']);
    expect(rows[1]).toMatch(/^tikv-0 {2}Up \d+ s {2,}\d+ {2,}1 {7}127\.0\.0\.1:\d+ {2}127\.0\.0\.1:\d+$/);
  });

  it('lists and inspects for programs what labd knows', async () => {
    const [ps, inspect] = await Promise.all([labctl('ps', '--json'), labctl('inspect', 'tikv-1')]);
    expect(JSON.parse(ps.out)).toEqual(await lab.ps());
    expect(JSON.parse(inspect.out)).toEqual(await lab.inspect('tikv-1'));
  });

  it('stops and starts a node, and tells it from one that died', async () => {
    expect(await labctl('stop', 'tikv-1', '--time', '5')).toEqual({ exit: 0, out: 'tikv-1 stopped\n', err: '' });
    expect((await labctl('ps')).out).toMatch(/^tikv-1 +Exited \(0\) \d+ s ago, stopped by request/m);
    expect(await labctl('stop', 'tikv-1')).toEqual({ exit: 0, out: 'tikv-1 has already exited\n', err: '' });
    const started = await labctl('start', 'tikv-1');
    const { pid } = await lab.inspect('tikv-1');
    expect(started).toEqual({ exit: 0, out: `tikv-1 started, pid ${pid}\n`, err: '' });
    expect(await labctl('start', 'tikv-1')).toEqual({
      exit: 0,
      out: `tikv-1 is already running, pid ${pid}\n`,
      err: '',
    });
    process.kill(pid ?? 0, 'SIGKILL');
    await until('tikv-1 died', async () => (await lab.inspect('tikv-1')).finishedAt ?? undefined);
    expect((await labctl('ps')).out).toMatch(/^tikv-1 +Exited \(137\) \d+ s ago, died/m);
  });

  it('lets a frozen node go on, and refuses for one that does not run', async () => {
    const { pid } = await lab.inspect('tikv-2');
    process.kill(pid ?? 0, 'SIGSTOP');
    await until('tikv-2 is paused', async () => (await lab.inspect('tikv-2')).state === 'paused' || undefined);
    expect(await labctl('unpause', 'tikv-2')).toEqual({ exit: 0, out: `tikv-2 goes on, pid ${pid}\n`, err: '' });
    expect(await labctl('unpause', 'tikv-2')).toEqual({
      exit: 0,
      out: `tikv-2 is already running, pid ${pid}\n`,
      err: '',
    });
    expect(await labctl('unpause', 'tikv-1')).toEqual({
      exit: 1,
      out: '',
      err: 'MEDIC_LAB_FAILED  tikv-1 does not run: there is nothing to go on. Start it.\n',
    });
  });

  it('prints the captured output of a node', async () => {
    const all = await labctl('logs', 'tikv-0');
    const lines = all.out.trimEnd().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/\["starts as tikv-0"\]$/));
    expect((await labctl('logs', 'tikv-0', '--tail', '1')).out).toBe(`${lines.at(-1)}\n`);
    expect((await labctl('logs', 'tikv-0', '--since', '2099-01-01T00:00:00Z')).out).toBe('');
  });

  it('says what is wrong, with a code, and tells kinds of failure apart by exit code', async () => {
    const answers = await Promise.all([
      labctl('start', 'tikv-7'),
      labctl('logs', 'tikv-0', '--tail', 'many'),
      labctl('restart', 'tikv-0'),
      labctl('stop'),
      labctl('ps', '--tail', '3'),
      labctl('stop', 'tikv-0', '--time', 'soon'),
    ]);
    const one = (exit: number, err: string) => ({ exit, out: '', err });
    expect(answers).toEqual([
      one(
        1,
        'MEDIC_LAB_UNKNOWN_NODE  there is no node tikv-7; there are pd-0, tikv-0, tikv-1, tikv-2. List them with `labctl ps`.\n',
      ),
      one(2, 'MEDIC_USAGE  tail=many is no number. See `labctl --help`.\n'),
      one(2, 'MEDIC_USAGE  there is no verb restart. See `labctl --help`.\n'),
      one(2, 'MEDIC_USAGE  stop takes one node. See `labctl --help`.\n'),
      one(2, 'MEDIC_USAGE  ps takes no --tail. See `labctl --help`.\n'),
      one(2, 'MEDIC_USAGE  --time soon: whole seconds are needed. See `labctl --help`.\n'),
    ]);
    expect((await lab.inspect('tikv-0')).state).toBe('running');
  });

  it('explains itself', async () => {
    const { exit, out } = await labctl('--help');
    expect(exit).toBe(0);
    expect(out).toContain('labctl stop NODE [--time SECONDS]');
  });

  it('says so when labd is gone', async () => {
    await launched.stop();
    expect(await labctl('ps')).toEqual({
      exit: 4,
      out: '',
      err: expect.stringMatching(
        /^MEDIC_LAB_NOT_RUNNING {2}labd does not answer on 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. /,
      ),
    });
  });
});
