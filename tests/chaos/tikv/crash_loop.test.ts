import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openChaosJournal } from '../../../chaos/journal.js';
import type { Injection } from '../../../chaos/protocol.js';
import { healInjection, injectFault } from '../../../chaos/run.js';
import { crashLoop } from '../../../chaos/tikv/crash_loop.js';
import type { KilledDetail } from '../../../chaos/tikv/killed-nodes.js';
import { listenerLabs } from '../../support/stand-in-nodes.js';
import { until } from '../../support/until.js';

describe('crash_loop', () => {
  const labs = listenerLabs();
  afterEach(() => labs.end());

  const loop = async () => {
    const { lab } = await labs.up({ dir: labs.folder(), pds: 1, stores: 3 });
    const list = lab.topology().stores.map(({ address }) => ({ store: { address }, status: { leader_count: 1 } }));
    writeFileSync(join(lab.dir, 'data', 'pd-0', 'stores.json'), JSON.stringify({ stores: list }));
    lab.configure('tikv-1', ['--kept=1']);
    await until('tikv-1 runs its script', async () =>
      (await lab.logs('tikv-1')).join().includes('starts as') ? true : undefined,
    );
    const journal = openChaosJournal(labs.folder());
    const target = { pick: 'named', name: 'tikv-1' } as const;
    const { injection } = await injectFault({ fault: 'crash_loop', labDir: lab.dir, target, journal });
    return { lab, journal, injection: injection as Injection<KilledDetail> };
  };

  it('lets the process end by itself at every start, with the reason in its log', async () => {
    const { lab, injection } = await loop();
    expect(await lab.inspect('tikv-1')).toMatchObject({ state: 'exited', signal: 'SIGKILL', starts: 1 });
    await lab.start('tikv-1');
    const again = await until('tikv-1 ended again', async () => {
      const node = await lab.inspect('tikv-1');
      return node.state === 'exited' ? node : undefined;
    });
    expect(again).toMatchObject({ exitCode: 1, signal: null, starts: 2, stoppedByRequest: false });
    expect((await lab.logs('tikv-1')).join()).toContain("Unknown option '--block-cache-sise=1GiB'");
    expect(await crashLoop.truth(injection)).toBe('present');
  });

  it('is healed by taking the option out and starting it, and leaves other options alone', async () => {
    const { lab, journal, injection } = await loop();
    expect((await healInjection({ injection, journal })).outcome).toBe('healed');
    await until('the fault is gone', async () => ((await crashLoop.truth(injection)) === 'gone' ? true : undefined));
    expect(lab.options('tikv-1')).toEqual(['--kept=1']);
    expect((await lab.inspect('tikv-1')).argv.at(-1)).toBe('--kept=1');
    expect((await healInjection({ injection, journal })).outcome).toBe('nothing-to-do');
  });
});
