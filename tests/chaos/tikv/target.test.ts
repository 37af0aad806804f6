import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TargetWish } from '../../../chaos/protocol.js';
import { chooseStore } from '../../../chaos/tikv/target.js';
import type { NodeReport } from '../../../subjects/tikv/lab/labd/report.js';

const node = (name: string, over: Partial<NodeReport> = {}): NodeReport => ({
  name,
  role: name.startsWith('pd') ? 'pd' : 'store',
  state: 'running',
  pid: 1,
  processStart: '1',
  exitCode: null,
  signal: null,
  startedAt: '2026-11-30T14:00:00.000Z',
  finishedAt: null,
  stoppedByRequest: false,
  starts: 1,
  address: '127.0.0.1:1',
  dataDir: '/lab',
  hasData: true,
  argv: [],
  ...over,
});

const NODES = [node('pd-0'), node('tikv-0'), node('tikv-1', { state: 'exited' }), node('tikv-2'), node('tikv-3')];
const LEADERS = new Map([
  ['tikv-0', 5],
  ['tikv-1', 9],
  ['tikv-2', 7],
  ['tikv-3', 7],
]);

const choose = async (wish: TargetWish, nodes = NODES) =>
  (await chooseStore({ wish, nodes, leaders: async () => LEADERS })).name;

describe('the choice of a store to hit', () => {
  it('takes the running store with most leaders, of equals the first by name', async () => {
    expect(await choose({ pick: 'most-leaders' })).toBe('tikv-2');
    expect(await choose({ pick: 'most-leaders' }, [...NODES].reverse())).toBe('tikv-2');
  });

  it('takes the named one', async () => {
    expect(await choose({ pick: 'named', name: 'tikv-3' })).toBe('tikv-3');
  });

  it('refuses one that does not run, a PD, and a lab without running stores', async () => {
    const refused = (message: string) => ({ code: 'MEDIC_CHAOS_TARGET', message });
    await expect(choose({ pick: 'named', name: 'tikv-1' })).rejects.toMatchObject(
      refused('tikv-1 is no running store; running: tikv-0, tikv-2, tikv-3'),
    );
    await expect(choose({ pick: 'named', name: 'pd-0' })).rejects.toMatchObject(
      refused('pd-0 is no running store; running: tikv-0, tikv-2, tikv-3'),
    );
    await expect(choose({ pick: 'most-leaders' }, [node('pd-0')])).rejects.toMatchObject(
      refused('no store runs; running: none'),
    );
  });

  it('gives the same store for the same seed, whatever the order of the list, and needs no PD for it', async () => {
    const asked = async () => {
      throw new Error('PD was asked');
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.shuffledSubarray(NODES, { minLength: NODES.length }),
        async (seed, shuffled) => {
          const wish = { pick: 'seeded', seed } as const;
          const [one, other] = await Promise.all([
            chooseStore({ wish, nodes: NODES, leaders: asked }),
            chooseStore({ wish, nodes: shuffled, leaders: asked }),
          ]);
          expect(one.name).toBe(other.name);
          expect(['tikv-0', 'tikv-2', 'tikv-3']).toContain(one.name);
        },
      ),
    );
  });

  it('reaches every running store with some seed', async () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    const chosen = await Promise.all(seeds.map((seed) => choose({ pick: 'seeded', seed })));
    expect(new Set(chosen)).toEqual(new Set(['tikv-0', 'tikv-2', 'tikv-3']));
  });
});
