import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compareSequences, differencesOf } from '../../../bench/sequences/compare.js';
import { KNOWN_DIFFERENCES } from '../../../bench/sequences/known-differences.js';
import { SCENES } from '../../../bench/sequences/scenes.js';
import { sequenceOf } from '../../../bench/sequences/sequence.js';
import { sequencePage } from '../../../bench/sequences/table.js';
import { readLabRows, readRows } from './recordings.js';

const PAGE = new URL('../../../docs/lab-sequences.md', import.meta.url);
const MADE = /(?<=<!-- sequences: begin -->\n\n)[\s\S]*(?=<!-- sequences: end -->)/;
/** May only fall. */
const MOST_DIFFERENCES = 11;

const comparisons = SCENES.map(({ scene: fault }) => ({
  fault,
  known: KNOWN_DIFFERENCES[fault] ?? [],
  comparison: compareSequences({ real: sequenceOf(readRows(fault)), standIn: sequenceOf(readLabRows(fault)) }),
}));

describe('the stand-in, beside a real cluster under the same fault', () => {
  it.each(comparisons)('$fault: shows what the real one showed, but for what is listed with its reason', (one) => {
    expect(differencesOf(one.comparison).sort()).toEqual(one.known.map(({ what }) => what).sort());
  });

  it('differs in no more than it used to; a lower number is to be written down here', () => {
    const count = comparisons.reduce((sum, { comparison }) => sum + differencesOf(comparison).length, 0);
    expect(count).toBe(MOST_DIFFERENCES);
  });
});

describe('docs/lab-sequences.md', () => {
  /** `UPDATE_DOCS=1` writes the tables anew. */
  it('shows both sequences side by side', () => {
    const made = `${sequencePage(comparisons)}\n`;
    const page = readFileSync(PAGE, 'utf8');
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(MADE, made));
    expect(MADE.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(made);
  });
});
