import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wrap } from '../../../src/cli/wrap.js';

describe('a wrapped line', () => {
  it('breaks at spaces and goes on two columns further in', () => {
    expect(wrap('  step 1: labctl start tikv-0 on the lab', { first: 24 })).toEqual([
      '  step 1: labctl start',
      '    tikv-0 on the lab',
    ]);
  });

  it('may be shorter at first than later', () => {
    expect(wrap('one two three four five six seven', { first: 20, rest: 30 })).toEqual([
      'one two three four',
      '  five six seven',
    ]);
  });

  it('keeps columns that are separated by more than one space', () => {
    expect(wrap('H1 dead    0.95', { first: 80 })).toEqual(['H1 dead    0.95']);
  });

  it('keeps a word whole that is wider than the screen', () => {
    const id = 'x'.repeat(60);
    expect(wrap(`journal ${id} there`, { first: 30 })).toEqual(['journal', `  ${id}`, '  there']);
  });

  it('stays one line when it is empty', () => {
    expect(wrap('', { first: 30 })).toEqual(['']);
  });

  it('loses no word, and is no wider than asked unless a word is (property)', () => {
    const line = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { maxLength: 40 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(line, fc.integer({ min: 20, max: 100 }), fc.integer({ min: 20, max: 100 }), (text, first, rest) => {
        const lines = wrap(text, { first, rest });
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(text.split(' ').filter(Boolean));
        lines.forEach((one, i) => {
          const isOneWord = one.trim().split(' ').length === 1;
          expect(isOneWord || one.length <= (i === 0 ? first : rest)).toBe(true);
        });
      }),
    );
  });
});
