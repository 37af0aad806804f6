import { describe, expect, it } from '@jest/globals';
import type { Thought } from '../../../src/domain/next-step.js';
import { createChain, type Rest } from '../../../src/reasoner/chain.js';
import { BudgetRefusal, ModelFailure } from '../../../src/reasoner/model-failure.js';
import type { Attempt, Reasoner } from '../../../src/reasoner/reasoner.js';
import { firstAttempt } from '../../support/first-attempt.js';
import { digest, paid, think } from './claude/room.js';

const thought = (reasoner: string): Thought => ({
  nextStep: { kind: 'ask', question: 'well?' },
  hypotheses: [],
  reasoner,
  model: reasoner === 'rules' ? null : reasoner,
  requestId: null,
  promptSha: 'p',
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
});

interface Stage {
  readonly first?: (attempt: Attempt) => Thought;
  readonly spare?: (attempt: Attempt) => Thought;
}

/** A chain of two models and rules; what a model does is up to the test. */
function stage({ first, spare }: Stage = {}) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const resting = new Map<string, Rest>();
  const model = (name: string, does?: (attempt: Attempt) => Thought): Reasoner => ({
    name,
    async reason(_digest, { attempt }) {
      asked.push(name);
      return does ? does(attempt) : thought(name);
    },
  });
  const rules = model('rules', () => thought('rules'));
  const chain = createChain({
    models: [model('first', first), model('spare', spare)],
    rules,
    triesEach: 2,
    resting,
    now: () => clock.now,
  });
  return { chain, asked, clock };
}

const overloaded = () => {
  throw new ModelFailure('retry', 'HTTP 529: overloaded');
};

/** Asks as Temporal does: again and again with what the tries before left behind, until one succeeds. */
async function untilThought(chain: Reasoner, given = digest()) {
  const attempt = firstAttempt();
  for (let number = 1; number <= 10; number += 1)
    try {
      return { thought: await think(chain, given, { attempt: { ...attempt, number } }), tries: number };
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== 'retry') throw error;
    }
  throw new Error('never');
}

describe('the chain of reasoners', () => {
  it('asks the first model and adds nothing', async () => {
    const { chain, asked } = stage();
    expect((await untilThought(chain)).thought).toEqual(thought('first'));
    expect(asked).toEqual(['first']);
  });

  it('passes to the next model after its tries, says so, and leaves the failed one alone for a while', async () => {
    const { chain, asked, clock } = stage({ first: overloaded });
    const taken = await untilThought(chain);
    expect(taken.tries).toBe(2);
    expect(taken.thought).toMatchObject({ model: 'spare', notes: ['first failed 2 times: HTTP 529: overloaded'] });
    expect(asked).toEqual(['first', 'first', 'spare']);
    expect((await untilThought(chain)).thought.notes).toEqual(['first rests after failures: HTTP 529: overloaded']);
    clock.now = 5 * 60_000;
    await untilThought(chain);
    expect(asked.slice(3)).toEqual(['spare', 'first', 'first', 'spare']);
  });

  it('ends with the rules when every model failed, and says both', async () => {
    const { chain, asked } = stage({ first: overloaded, spare: overloaded });
    const taken = await untilThought(chain);
    expect(taken.thought).toMatchObject({ reasoner: 'rules', model: null });
    expect(taken.thought.notes).toEqual([
      'rules think: first failed 2 times: HTTP 529: overloaded; spare failed 2 times: HTTP 529: overloaded',
    ]);
    expect(asked).toEqual(['first', 'first', 'spare', 'spare', 'rules']);
  });

  it('passes a refusal to the next model within the same try', async () => {
    const declines = () => {
      throw new ModelFailure('refusal', 'first declined to answer');
    };
    const { chain } = stage({ first: declines });
    const taken = await untilThought(chain);
    expect(taken).toMatchObject({
      tries: 1,
      thought: { model: 'spare', notes: ['first declined: first declined to answer'] },
    });
  });

  it('hands over, with everything that was paid, when asking again would change nothing', async () => {
    const wrongKey = (attempt: Attempt) => {
      attempt.calls.push(paid);
      throw new ModelFailure('final', 'HTTP 401: invalid x-api-key');
    };
    const { chain, asked } = stage({ first: wrongKey });
    expect((await untilThought(chain)).thought).toMatchObject({
      nextStep: { kind: 'escalate', why: 'the model cannot be asked: HTTP 401: invalid x-api-key' },
      calls: [paid],
      usage: { inputTokens: 10, outputTokens: 5, usd: 0.01 },
    });
    expect(asked).toEqual(['first']);
  });

  it('goes on with rules at a ceiling of the budget, and keeps what was paid before it', async () => {
    const atCeiling = (attempt: Attempt) => {
      attempt.calls.push(paid);
      throw new BudgetRefusal('the month is spent: 50.00 of 50.00 $');
    };
    const { chain, asked } = stage({ first: atCeiling });
    expect((await untilThought(chain)).thought).toMatchObject({
      reasoner: 'rules',
      notes: ['rules think: the month is spent: 50.00 of 50.00 $'],
      calls: [paid],
      usage: { usd: 0.01 },
    });
    expect(asked).toEqual(['first', 'rules']);
  });

  it.each([
    ['tokens', "rules think: the ticket's limit of tokens is reached"],
    ['usd', "rules think: the ticket's limit of money is reached"],
  ])('asks no model once the limit of %s is reached', async (what, note) => {
    const { chain, asked } = stage();
    const { left } = digest();
    const taken = await untilThought(chain, digest({ left: { ...left, [what]: 0 } }));
    expect(taken.thought.notes).toEqual([note]);
    expect(asked).toEqual(['rules']);
  });

  it('does not swallow a bug', async () => {
    const bug = () => {
      throw new TypeError('undefined is not a lamp');
    };
    await expect(untilThought(stage({ first: bug }).chain)).rejects.toThrow('undefined is not a lamp');
  });
});
