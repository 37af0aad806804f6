import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type FaultRow, faultsTable } from '../../bench/faults-table.js';
import { FAULTS } from '../../chaos/faults.js';

const PAGE = new URL('../../docs/faults.md', import.meta.url);
const TABLE = /(?<=<!-- measured: begin -->\n)[\s\S]*(?=<!-- measured: end -->)/;
const { rows } = JSON.parse(readFileSync('bench/results/faults.json', 'utf8')) as { rows: readonly FaultRow[] };

/** The longest that the median may be, in seconds, in the profile `fast`. */
const BOUNDS = { detected: 5, repaired: 15, proven: 40 } as const;

describe('the committed table of faults', () => {
  /** `UPDATE_DOCS=1` writes it anew. */
  it('is the one that was measured', () => {
    const page = readFileSync(PAGE, 'utf8');
    const table = faultsTable(rows);
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(TABLE, table));
    else expect(TABLE.exec(page)?.[0]).toBe(table);
  });

  it('has every fault, each three times with the end that is right for it', () => {
    const measured = rows.map(({ fault }) => fault);
    expect(measured.sort()).toEqual(FAULTS.map(({ name }) => name).sort());
    for (const { fault, rightEnd, right } of rows) {
      expect([fault, rightEnd]).toEqual([fault, FAULTS.find(({ name }) => name === fault)?.rightEnd.kind]);
      expect([fault, right]).toEqual([fault, '3 of 3']);
    }
  });

  it('keeps the bounds of a repair', () => {
    for (const { fault, rightEnd, median } of rows.filter((row) => row.rightEnd === 'repaired'))
      for (const [name, most] of Object.entries(BOUNDS) as [keyof typeof BOUNDS, number][])
        expect([fault, rightEnd, name, (median[name] ?? Number.POSITIVE_INFINITY) <= most]).toEqual([
          ...[fault, rightEnd, name],
          true,
        ]);
  });
});
