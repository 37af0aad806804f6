import { describe, expect, it } from '@jest/globals';
import type { Digest } from '../../../src/domain/digest.js';
import { MedicError } from '../../../src/domain/errors.js';
import { ticketId } from '../../../src/domain/ids.js';
import type { Thought } from '../../../src/domain/next-step.js';
import { createRecordedReasoner } from '../../../src/reasoner/recorded.js';
import { firstAttempt } from '../../support/first-attempt.js';

const thought: Thought = {
  nextStep: { kind: 'escalate', why: 'a person has to look' },
  hypotheses: [],
  reasoner: 'rules',
  model: null,
  requestId: null,
  promptSha: 'abc',
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
};
const at = (turn: number) => ({ ticket: ticketId('tikv', 4), turn }) as Digest;
const tools = {
  body: async () => {
    throw new Error('the recorded reasoner reads no evidence');
  },
  attempt: firstAttempt(),
};

describe('the recorded reasoner', () => {
  const reasoner = createRecordedReasoner([
    { turn: 1, thought },
    { turn: 3, thought: { ...thought, nextStep: { kind: 'ask', question: 'what now?' } } },
  ]);

  it('thinks what was thought in the same turn', async () => {
    expect(await reasoner.reason(at(1), tools)).toEqual({ ...thought, reasoner: 'recorded' });
    expect(await reasoner.reason(at(3), tools)).toMatchObject({ nextStep: { kind: 'ask' } });
  });

  it('fails by name for a turn that nobody recorded', async () => {
    const failure = await reasoner.reason(at(2), tools).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MedicError);
    expect(failure).toMatchObject({
      code: 'MEDIC_REASONER_NOTHING_RECORDED',
      message: 'Nothing is recorded for turn 2 of tikv/4; the archive holds turns: 1, 3',
    });
  });
});
