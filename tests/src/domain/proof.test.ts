import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instant } from '../../../src/domain/ids.js';
import { judgeProof, newlyBroken, type ProofSample } from '../../../src/domain/proof.js';

const RULE = { samples: 6, windowMs: 6_000, sampleMs: 1_000, deadlineMs: 45_000 };
const T0 = Date.parse('2026-01-01T00:00:00Z');

const sample = (second: number, part: Partial<ProofSample> = {}): ProofSample => ({
  at: instant(T0 + second * 1000),
  healthy: 'yes',
  broken: [],
  causeGone: 'yes',
  reason: 'fine',
  ...part,
});
const good = (count: number) => Array.from({ length: count }, (_, i) => sample(i));

describe('a proof', () => {
  it('is healthy only after a full row of samples over the window', () => {
    expect(judgeProof(good(5), RULE, 5_000).result).toBe('open');
    expect(judgeProof(good(6), RULE, 6_000)).toEqual({
      result: 'healthy',
      inRow: 6,
      reason: 'healthy 6 of 6; cause gone',
    });
  });

  it('does not count six samples that were taken in a hurry', () => {
    const hurried = Array.from({ length: 6 }, (_, i) => sample(i / 10));
    expect(judgeProof(hurried, RULE, 1_000).result).toBe('open');
  });

  it('starts the row again at a bad sample', () => {
    const samples = [...good(5), sample(5, { healthy: 'no', broken: ['x'] }), ...[6, 7, 8].map((s) => sample(s))];
    expect(judgeProof(samples, RULE, 9_000)).toMatchObject({ result: 'open', inRow: 3 });
  });

  it('never takes unknown for healthy, neither health nor cause', () => {
    const unsure = Array.from({ length: 40 }, (_, i) => sample(i, { causeGone: 'unknown', reason: 'no witness' }));
    expect(judgeProof(unsure, RULE, 44_999).result).toBe('open');
    expect(judgeProof(unsure, RULE, 45_000)).toEqual({ result: 'unknown', inRow: 0, reason: 'no witness' });
  });

  it('is unhealthy at the deadline when something is known to be broken', () => {
    expect(judgeProof([sample(0, { healthy: 'no', reason: 'tikv-2 is Down' })], RULE, 45_000)).toMatchObject({
      result: 'unhealthy',
      reason: 'tikv-2 is Down',
    });
    expect(judgeProof([sample(0, { causeGone: 'no' })], RULE, 45_000).result).toBe('unhealthy');
  });

  it('is unknown when no sample could be taken at all', () => {
    expect(judgeProof([], RULE, 45_000).result).toBe('unknown');
  });

  it('is never healthy when any of its last six samples was not good (property)', () => {
    const verdict = fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const);
    const series = fc.array(fc.record({ healthy: verdict, causeGone: verdict }), { maxLength: 30 });
    fc.assert(
      fc.property(series, (parts) => {
        const samples = parts.map((part, i) => sample(i, part));
        const { result } = judgeProof(samples, RULE, 1_000);
        const tail = samples.slice(-6);
        const allGood = tail.length === 6 && tail.every((s) => s.healthy === 'yes' && s.causeGone === 'yes');
        expect(result === 'healthy').toBe(allGood);
      }),
    );
  });
});

describe('worse than before', () => {
  it('names only what was not broken right before the first act', () => {
    const samples = [sample(0, { broken: ['old', 'flash'] }), sample(1, { broken: ['old', 'new'] })];
    expect(newlyBroken(['old'], samples)).toEqual(['new']);
    expect(newlyBroken([], [])).toEqual([]);
  });
});
