import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { offsetAfter, syntaxFault } from '../../../../../subjects/tikv/lab/pd/go-json.js';

describe("Go's complaints about JSON", () => {
  it.each([
    ['', 'unexpected end of JSON input', 0],
    ['{"a":', 'unexpected end of JSON input', 5],
    ['{bad', "invalid character 'b' looking for beginning of object key string", 2],
    ['{"a" 1}', "invalid character '1' after object key", 6],
    ['{"a":1 2}', "invalid character '2' after object key:value pair", 8],
    ['[1 2]', "invalid character '2' after array element", 4],
    ['{} x', "invalid character 'x' after top-level value", 4],
    ['nope', "invalid character 'o' in literal null (expecting 'u')", 2],
    ['"\\a"', "invalid character 'a' in string escape code", 3],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape", 6],
    ['?', "invalid character '?' looking for beginning of value", 1],
  ])('%j: %s', (text, message, offset) => expect(syntaxFault(text)).toEqual({ message, offset }));

  it('are none about what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(syntaxFault(JSON.stringify(value))).toBeNull()));
  });

  it('are there exactly when JSON.parse refuses, for texts of JSON’s own characters', () => {
    const text = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', ' ', 'true', 'null', '\\', 'a'),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const joined = parts.join('');
        expect(syntaxFault(joined) === null).toBe(parses(joined));
      }),
      { numRuns: 2_000 },
    );
  });

  it('say where the value of a key ends', () => {
    expect(offsetAfter('{"max-replicas": "x"}', 'max-replicas')).toBe(20);
    expect(offsetAfter('{"delay":"x"}', 'delay')).toBe(12);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
