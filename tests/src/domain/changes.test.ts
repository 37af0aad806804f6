import { describe, expect, it } from '@jest/globals';
import { whatChanged } from '../../../src/domain/changes.js';
import type { Basis, RulingKind } from '../../../src/domain/proposal.js';

const on = (kind: RulingKind, process: string) => ({
  ruling: { kind, reason: 'because' },
  basis: [{ fact: 'step 1: process', value: process, compare: 'equal' }] satisfies Basis,
});

describe('what changed since a person last saw a plan', () => {
  it('is each fact with its old and its new value, and the ruling', () => {
    const [before, now] = [on('pre-approved', 'exited'), on('needs-approval', 'running')];
    expect(whatChanged({ before, now, told: [] })).toEqual([
      'step 1: process: exited -> running',
      'ruling: pre-approved -> needs-approval (because)',
    ]);
  });

  it('names a fact once, also when the act saw it first', () => {
    const [before, now] = [on('needs-approval', 'exited'), on('needs-approval', 'running')];
    expect(whatChanged({ before, now, told: ['process: exited -> running'] })).toEqual([
      'step 1: process: exited -> running',
    ]);
  });

  it('is what the act saw when the facts are as before by now', () => {
    const same = on('needs-approval', 'exited');
    expect(whatChanged({ before: same, now: same, told: ['process: exited -> running'] })).toEqual([
      'process: exited -> running',
    ]);
  });

  it('is nothing when nothing did', () => {
    const same = on('needs-approval', 'exited');
    expect(whatChanged({ before: same, now: same, told: [] })).toEqual([]);
  });
});
