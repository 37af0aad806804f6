import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TIKV } from '../../subjects/tikv/subject.js';

const FOLDER = 'bench/results';
const results = readdirSync(FOLDER).map(
  (name) => [name, JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Record<string, unknown>] as const,
);

/** Times are measured where nothing else runs, not in tests; what is committed is what the docs may claim. */
describe('the committed results of the benches', () => {
  it('include the ones that bounds were promised for', () => {
    expect(results.map(([name]) => name)).toEqual(expect.arrayContaining(['lab-footprint.json', 'soak.json']));
  });

  it.each(results)('%s keeps its bounds and names its conditions', (_name, result) => {
    expect(result).toMatchObject({ bench: expect.any(String), at: expect.any(String), machine: expect.any(Object) });
    if ('bounds' in result) expect(result.holds).toBe(true);
  });

  /** An invariant may file only after a loaded soak without a false violation. */
  it('have soaked every invariant that files', () => {
    const [, soak] = results.find(([name]) => name === 'soak.json') ?? [];
    expect(soak).toMatchObject({ clean: true, minutes: 30 });
    const filing = TIKV.invariants.filter(({ use }) => use === 'files').map(({ name }) => name);
    expect(soak?.invariants).toEqual(expect.arrayContaining(filing));
  });

  it('have the lab healthy within 12 s, in 900 MiB, with at most a quarter of a core when idle', () => {
    const [, footprint] = results.find(([name]) => name === 'lab-footprint.json') ?? [];
    expect(footprint).toMatchObject({
      bounds: { healthyMs: 12_000, rssMiB: 900, idleCpuPercentOfOneCore: 25 },
      holds: true,
    });
  });
});
