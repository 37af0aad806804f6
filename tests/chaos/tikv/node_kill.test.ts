import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openChaosJournal } from '../../../chaos/journal.js';
import { openOwnLab } from '../../../chaos/own-lab.js';
import type { Injection } from '../../../chaos/protocol.js';
import { healInjection, injectFault } from '../../../chaos/run.js';
import { nodeKill } from '../../../chaos/tikv/node_kill.js';
import type { NodeProcessDetail } from '../../../chaos/tikv/node-process.js';
import type { Lab } from '../../../subjects/tikv/lab/labd/client.js';
import { listenerLabs } from '../../support/stand-in-nodes.js';
import { until } from '../../support/until.js';

describe('node_kill', () => {
  const labs = listenerLabs();
  afterEach(() => labs.end());

  const answers = async (lab: Lab, store: number) => {
    const { statusAddress } = lab.topology().stores[store] ?? {};
    const response = await fetch(`http://${statusAddress}/status`, { signal: AbortSignal.timeout(500) }).catch(
      () => undefined,
    );
    return response?.ok ? true : undefined;
  };

  /** A lab whose stores answer, and PD's word on their leaders. */
  const upWithLeaders = async (leaders: readonly number[]) => {
    const { lab, launched } = await labs.up({ dir: labs.folder(), pds: 1, stores: leaders.length });
    const list = lab
      .topology()
      .stores.map(({ address }, i) => ({ store: { address }, status: { leader_count: leaders[i] } }));
    writeFileSync(join(lab.dir, 'data', 'pd-0', 'stores.json'), JSON.stringify({ count: list.length, stores: list }));
    for (const store of leaders.keys()) await until(`tikv-${store} answers`, () => answers(lab, store));
    await until(
      'pd-0 answers',
      async () => (await fetch(`${lab.topology().pd[0]?.clientUrl}/`).catch(() => undefined)) && true,
    );
    return { lab, launched, journal: openChaosJournal(labs.folder()) };
  };

  const kill = async ({ lab, journal }: Awaited<ReturnType<typeof upWithLeaders>>, name = 'tikv-1') => {
    const { injection, confirmation } = await injectFault({
      fault: 'node_kill',
      labDir: lab.dir,
      target: { pick: 'named', name },
      journal,
    });
    return { injection: injection as Injection<NodeProcessDetail>, confirmation };
  };

  it('kills the store with most leaders, sees it dead and its status port refused', async () => {
    const up = await upWithLeaders([5, 3, 8]);
    const before = await up.lab.inspect('tikv-2');
    const { injection, confirmation } = await injectFault({
      fault: 'node_kill',
      labDir: up.lab.dir,
      target: { pick: 'most-leaders' },
      journal: up.journal,
    });
    expect(injection).toMatchObject({
      fault: 'node_kill',
      target: 'tikv-2',
      detail: {
        process: { pid: before.pid, start: before.processStart },
        probeUrl: `http://${before.statusAddress}/status`,
      },
    });
    expect(confirmation).toEqual({
      confirmed: true,
      seen: `tikv-2 (pid ${before.pid}) is dead; its status port refuses connections`,
    });
    expect(await up.lab.inspect('tikv-2')).toMatchObject({ state: 'exited', exitCode: 137, stoppedByRequest: false });
    expect((await up.lab.ps()).filter(({ state }) => state === 'running')).toHaveLength(3);
  });

  it('is present while the store is dead, and gone once another process answers', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { injection } = await kill(up);
    expect(await nodeKill.truth(injection)).toBe('present');
    await up.lab.start('tikv-1');
    await until('the fault is gone', async () => ((await nodeKill.truth(injection)) === 'gone' ? true : undefined));
  });

  it('is still present while the new process does not answer on its status port', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { injection } = await kill(up);
    writeFileSync(join(up.lab.dir, 'data', 'tikv-1', 'deaf'), '');
    await up.lab.start('tikv-1');
    await until('the second process runs', () =>
      readFileSync(join(up.lab.dir, 'data', 'tikv-1', 'starts'), 'utf8') === 'xx' ? true : undefined,
    );
    expect((await up.lab.inspect('tikv-1')).state).toBe('running');
    expect(await nodeKill.truth(injection)).toBe('present');
  });

  it('is not confirmed for a store that lives', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { pid, processStart, statusAddress } = await up.lab.inspect('tikv-0');
    const { injection } = await kill(up);
    const wrong = {
      ...injection,
      target: 'tikv-0',
      detail: {
        ...injection.detail,
        process: { pid: pid ?? 0, start: processStart ?? '' },
        probeUrl: `http://${statusAddress}/status`,
      },
    };
    expect(await nodeKill.confirm(wrong)).toEqual({
      confirmed: false,
      seen: `tikv-0 still runs as pid ${pid}; its status port answers`,
    });
    expect(await nodeKill.truth(wrong)).toBe('present');
  });

  it('is unknown when labd cannot be asked, and in another lab of the same folder', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { injection } = await kill(up);
    await up.launched.stop();
    expect(await nodeKill.truth(injection)).toBe('unknown');
    rmSync(join(up.lab.dir, 'lab.json'));
    await labs.up({ dir: up.lab.dir, pds: 1, stores: 3 });
    expect(await nodeKill.truth(injection)).toBe('unknown');
    await expect(nodeKill.heal(injection)).rejects.toMatchObject({
      code: 'MEDIC_CHAOS_TARGET',
      message: expect.stringContaining('cannot heal: the lab in which tikv-1 was hit cannot be asked'),
    });
  });

  it('heals once, from what the journal holds, and has nothing to do after that', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { injection } = await kill(up);
    const recorded = up.journal.get(injection.id).injection;
    expect(recorded).toEqual(injection);
    expect((await healInjection({ injection: recorded, journal: up.journal })).outcome).toBe('healed');
    expect((await healInjection({ injection: recorded, journal: up.journal })).outcome).toBe('nothing-to-do');
    expect(await up.lab.inspect('tikv-1')).toMatchObject({ state: 'running', starts: 2 });
    expect(up.journal.get(injection.id).state).toBe('healed');
  });

  it('is recorded before any harm is done', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const lab = await openOwnLab(up.lab.dir);
    const crash = () => {
      throw new Error('crash');
    };
    await expect(nodeKill.inject({ lab, target: { pick: 'named', name: 'tikv-1' }, record: crash })).rejects.toThrow(
      'crash',
    );
    expect((await up.lab.inspect('tikv-1')).state).toBe('running');
  });

  it('tells the operator of the lab nothing: no file of the lab names the fault', async () => {
    const up = await upWithLeaders([1, 1, 1]);
    const { injection } = await kill(up);
    const files = ['lab.json', 'state.json', 'logs/tikv-1.log'].map((name) =>
      readFileSync(join(up.lab.dir, name), 'utf8'),
    );
    expect(files.filter((text) => text.includes(injection.id) || text.includes('node_kill'))).toEqual([]);
  });
});

describe('chaos', () => {
  const labs = listenerLabs();
  afterEach(() => labs.end());
  const journal = () => openChaosJournal(labs.folder());
  const inject = (labDir: string) =>
    injectFault({ fault: 'node_kill', labDir, target: { pick: 'named', name: 'tikv-0' }, journal: journal() });

  it('refuses a folder that is no lab of Medic', async () => {
    const dir = labs.folder();
    await expect(inject(dir)).rejects.toMatchObject({
      code: 'MEDIC_CHAOS_NOT_OURS',
      message: `${dir} is not a lab that Medic made`,
    });
  });

  it('refuses a lab file that was copied elsewhere, and harms nothing', async () => {
    const { lab } = await labs.up({ dir: labs.folder(), pds: 1, stores: 3 });
    const copy = labs.folder();
    writeFileSync(join(copy, 'lab.json'), readFileSync(join(lab.dir, 'lab.json')));
    await expect(inject(copy)).rejects.toMatchObject({
      code: 'MEDIC_CHAOS_NOT_OURS',
      message: `the labd of ${copy} runs another lab, in ${lab.dir}`,
    });
    expect((await lab.ps()).map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running']);
  });

  it('refuses a lab with a wrong token, and harms nothing', async () => {
    const { lab } = await labs.up({ dir: labs.folder(), pds: 1, stores: 3 });
    const file = join(lab.dir, 'lab.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/"token": "./, '"token": "?'));
    await expect(inject(lab.dir)).rejects.toMatchObject({ code: 'MEDIC_LAB_NOT_RUNNING' });
    writeFileSync(file, text);
    expect((await lab.ps()).map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running']);
  });

  it('refuses a fault that does not exist, with the names of those that do', async () => {
    await expect(
      injectFault({ fault: 'node_kil', labDir: labs.folder(), target: { pick: 'most-leaders' }, journal: journal() }),
    ).rejects.toMatchObject({
      code: 'MEDIC_CHAOS_UNKNOWN_FAULT',
      message: expect.stringMatching(/^there is no fault node_kil; there are node_kill, process_pause, .*, none$/),
    });
  });
});
