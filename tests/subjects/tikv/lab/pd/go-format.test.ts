import { describe, expect, it } from '@jest/globals';
import {
  durationFault,
  goBytes,
  goDuration,
  goFloat,
  goTime,
  parseGoDuration,
} from '../../../../../subjects/tikv/lab/pd/go-format.js';

describe("Go's way of writing", () => {
  it.each([
    [0n, '0s'],
    [999n, '999ns'],
    [1_500n, '1.5µs'],
    [284_774_580n, '284.77458ms'],
    [61_178_659_153n, '1m1.178659153s'],
    [1_800_000_000_000n, '30m0s'],
    [172_800_000_000_000n, '48h0m0s'],
    [-1_000_000_000n, '-1s'],
  ])('writes a duration of %d ns as %s', (nanos, text) => expect(goDuration(nanos)).toBe(text));

  it.each([
    [0n, '1970-01-01T00:00:00Z'],
    [1_796_041_646_284_774_580n, '2026-11-30T12:27:26.28477458Z'],
    [1_796_040_089_000_000_000n, '2026-11-30T12:01:29Z'],
  ])('writes the moment %d as %s', (nanos, text) => expect(goTime(nanos)).toBe(text));

  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [200 * 2 ** 30, '200GiB'],
    [206914453504, '192.7GiB'],
    [1391460352, '1.296GiB'],
    [96 * 2 ** 20, '96MiB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(goBytes(bytes)).toBe(text));

  it.each([
    [0, '0'],
    [0.7, '0.7'],
    [540000, '540000'],
    [1440000, '1.44e+06'],
    [2147483648e2, '2.147483648e+11'],
    [1391460352, '1.391460352e+09'],
    [3336.757669137544, '3336.757669137544'],
    [0.00001, '1e-05'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('writes the number %d as %s in metrics', (value, text) => expect(goFloat(value)).toBe(text));
});

describe("Go's way of reading durations", () => {
  it.each([
    ['0', 0],
    ['1.5s', 1.5e9],
    ['1h30m', 5.4e12],
    ['-2ms', -2e6],
  ])('reads %s', (text, nanos) => expect(parseGoDuration(text)).toBe(nanos));

  it.each([
    ['', 'time: invalid duration ""'],
    ['abc', 'time: invalid duration "abc"'],
    ['10', 'time: missing unit in duration "10"'],
    ['1x', 'time: unknown unit "x" in duration "1x"'],
  ])('complains about %j', (text, fault) => {
    expect(durationFault(text)).toBe(fault);
    expect(parseGoDuration(text)).toBeNull();
  });
});
