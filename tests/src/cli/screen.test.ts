import { describe, expect, it } from '@jest/globals';
import { age } from '../../../src/cli/age.js';
import { printParagraph } from '../../../src/cli/paragraph.js';
import { printJson, wantsColour } from '../../../src/cli/screen.js';
import { printTable } from '../../../src/cli/table.js';
import { paper } from './paper.js';

const AT = '2026-01-02T03:04:05.000Z';

describe('a screen', () => {
  it('ends a line that grows before anything else is written, whichever way', () => {
    const { screen, out, err } = paper();
    screen.part('●');
    screen.part('●');
    expect(screen.isLineOpen).toBe(true);
    screen.err('worker died');
    screen.part('●');
    screen.out('next');
    expect([out(), err()]).toEqual([['●●', '●', 'next'], ['worker died']]);
    screen.endLine();
    expect(out()).toHaveLength(3);
  });

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ CI: 'true' }, false, false],
  ])('with %j and a terminal: %p, colours: %p', (env, isTty, colours) => {
    expect(wantsColour({ env, isTty })).toBe(colours);
    const { screen } = paper({ env, ...(isTty ? { columns: 80 } : {}) });
    expect(screen.paint.bold('x')).toBe(colours ? '\u001b[1mx\u001b[22m' : 'x');
  });

  it('has 80 columns when nobody says how many', () => {
    expect([paper().screen.columns, paper({ columns: 132 }).screen.columns]).toEqual([80, 132]);
  });

  it('prints JSON with the version of its form', () => {
    const { screen, out } = paper();
    printJson(screen, 'tickets', []);
    expect(JSON.parse(out().join('\n'))).toEqual({ apiVersion: 'medic/v1', kind: 'tickets', value: [] });
  });
});

describe('a table', () => {
  const table = {
    heads: ['TICKET', 'SYMPTOM', 'AGE'],
    rows: [
      ['tikv/9', 'three regions have no leader at all', '2 m'],
      ['tikv/10', 'PD has\tno\nquorum', '100 s'],
    ],
    cut: ['SYMPTOM'],
  };

  it('is tab-separated without heads in a pipe, one line a row', () => {
    const { screen, out } = paper();
    printTable(screen, table);
    expect(out()).toEqual(['tikv/9\tthree regions have no leader at all\t2 m', 'tikv/10\tPD has no quorum\t100 s']);
  });

  it('cuts the named column to the width of the terminal, and only as far as needed', () => {
    const { screen, out } = paper({ columns: 36 });
    printTable(screen, { ...table, rows: table.rows.slice(0, 1) });
    expect(out()).toEqual(['TICKET  SYMPTOM                  AGE', 'tikv/9  three regions have no …  2 m']);
    const wide = paper({ columns: 80 });
    printTable(wide.screen, { ...table, rows: table.rows.slice(0, 1) });
    expect(wide.out()[1]).toBe('tikv/9  three regions have no leader at all  2 m');
  });

  it('cuts one column after the other, none below twelve, and keeps room for the last one', () => {
    const { screen, out } = paper({ columns: 56 });
    printTable(screen, {
      heads: ['TICKET', 'SYMPTOM', 'CAUSE', 'WAITS FOR'],
      rows: [['tikv/9', 'three regions have no leader', 'link-loss/tikv-3 (0.90)', 'somebody who has taken it over']],
      cut: ['SYMPTOM', 'CAUSE'],
    });
    expect(out()).toEqual([
      'TICKET  SYMPTOM       CAUSE         WAITS FOR',
      'tikv/9  three regio…  link-loss/t…  somebody who has',
      '                                      taken it over',
    ]);
  });

  it('wraps the last column below itself when none is to be cut', () => {
    const { screen, out } = paper({ columns: 44 });
    printTable(screen, {
      heads: ['CHECK', 'SEEN'],
      rows: [['home', 'MEDIC_HOME_UNWRITABLE  Pass a writable --home.']],
    });
    expect(out()).toEqual(['CHECK  SEEN', 'home   MEDIC_HOME_UNWRITABLE  Pass a', '         writable --home.']);
  });

  it('without rows is its heads', () => {
    const { screen, out } = paper({ columns: 80 });
    printTable(screen, { heads: ['A', 'B'], rows: [] });
    expect(out()).toEqual(['A  B']);
  });
});

describe('a paragraph', () => {
  const lines = ['a line that does not fit into so few columns', 'another'];

  it('is wrapped beside its tag on a terminal, with the time at the right end of its first line', () => {
    const { screen, out } = paper({ columns: 50 });
    printParagraph(screen, { tag: 'looks', lines, at: AT, right: 't+3.2' });
    expect(out()).toEqual([
      'looks     a line that does not fit into so   t+3.2',
      '            few columns',
      '          another',
    ]);
    expect(out()[0]).toHaveLength(50);
  });

  it('is whole lines with an ISO time each in a pipe', () => {
    const { screen, out } = paper();
    printParagraph(screen, { tag: 'looks', lines, at: AT, right: 't+3.2' });
    expect(out()).toEqual([`${AT} looks     ${lines[0]}`, `${AT}           another`]);
  });

  it('is no wider than 120 columns on a wide terminal', () => {
    const { screen, out } = paper({ columns: 300 });
    printParagraph(screen, { tag: 'looks', lines: ['word '.repeat(60).trim()], at: AT, right: 't+3.2' });
    expect(out()[0]).toHaveLength(120);
    for (const line of out()) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('uses the whole width when nothing stands at the right', () => {
    const { screen, out } = paper({ columns: 54 });
    printParagraph(screen, { tag: 'x', lines: [lines[0] ?? ''], at: AT });
    expect(out()).toEqual([`x         ${lines[0]}`]);
  });
});

describe('an age', () => {
  it.each([
    [-5, '0 s'],
    [14_400, '14 s'],
    [99_400, '99 s'],
    [100_000, '2 m'],
    [5_999_000, '100 m'],
    [6_000_000, '2 h'],
    [172_800_000, '2 d'],
  ])('of %d ms is %s', (ms, words) => {
    expect(age(ms)).toBe(words);
  });
});
