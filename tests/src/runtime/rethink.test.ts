import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { NextStep } from '../../../src/domain/next-step.js';
import { ModelFailure } from '../../../src/reasoner/model-failure.js';
import type { Reasoner } from '../../../src/reasoner/reasoner.js';
import { parseHistory } from '../../../src/runtime/history.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { recordedThoughts } from '../../../src/runtime/recorded-thoughts.js';
import { rethink } from '../../../src/runtime/rethink.js';
import { calls, says as says_, serveMessagesApi } from '../../support/messages-api.js';
import { claudeOn, memoryStore, openBudget, paid } from '../reasoner/claude/room.js';

const NAME = 'worker-killed-at-the-gate.json';
const turns = recordedThoughts(
  parseHistory(readFileSync(join(packageRoot(), 'tests', 'histories', NAME), 'utf8'), NAME),
);
const [first, second] = turns;

/** A reasoner that says what the test wants it to, turn by turn. */
function says(step: (turn: number) => NextStep, { fails = 0 } = {}) {
  const asked: number[] = [];
  let left = fails;
  const reasoner: Reasoner = {
    name: 'test',
    async reason({ turn }, { attempt }) {
      asked.push(turn);
      if (left-- > 0) throw new ModelFailure('retry', 'overloaded');
      attempt.calls.push(paid);
      return { nextStep: step(turn), hypotheses: [] } as never;
    },
  };
  return { reasoner, asked };
}

const diff = (reasoner: Reasoner, promptSha = 'another prompt') =>
  rethink(turns, { reasoner, promptSha, evidence: memoryStore(), tries: 2 });

describe('thinking recorded turns again', () => {
  it('costs nothing with the prompt that they were thought with', async () => {
    const { reasoner, asked } = says(() => ({ kind: 'ask', question: 'hm' }));
    const rows = await diff(reasoner, first?.thought.promptSha);
    expect(rows.map(({ differs, source, usd }) => ({ differs, source, usd }))).toEqual(
      turns.map(() => ({ differs: false, source: 'recorded', usd: 0 })),
    );
    expect(asked).toEqual([]);
  });

  it('tells a step of another kind and one about something else from one in other words', async () => {
    const look = first?.thought.nextStep as Extract<NextStep, { kind: 'look' }>;
    const propose = second?.thought.nextStep as Extract<NextStep, { kind: 'propose' }>;
    const reworded = says((turn) =>
      turn === 1
        ? { ...look, why: 'other words', calls: [...look.calls].reverse() }
        : { ...propose, proposal: { ...propose.proposal, title: 'other words' } },
    );
    expect((await diff(reworded.reasoner)).map(({ differs }) => differs)).toEqual([false, false]);

    const other = says((turn) =>
      turn === 1
        ? { kind: 'escalate', why: 'no idea' }
        : {
            kind: 'propose',
            proposal: { ...propose.proposal, cause: { ...propose.proposal.cause, target: 'tikv-9' } },
          },
    );
    const rows = await diff(other.reasoner);
    expect(rows.map(({ differs, usd }) => ({ differs, usd }))).toEqual([
      { differs: true, usd: 0.01 },
      { differs: true, usd: 0.01 },
    ]);
    expect(rows[0]).toMatchObject({ recorded: { kind: 'look' }, now: { kind: 'escalate', target: 'a person' } });
    expect(rows[1]?.now?.target).toMatch(/^process-dead\/tikv-9: start-store tikv-\d$/);
  });

  it('reserves what a model is asked, and settles it', async () => {
    const api = await serveMessagesApi(() => says_(calls('escalate', { why: 'no idea' })));
    const budget = openBudget();
    try {
      const rows = await diff(claudeOn({ api, budget, changes: { contextTokens: 100_000 } }));
      expect(rows.map(({ now }) => now?.kind)).toEqual(['escalate', 'escalate']);
      expect(budget.reservations.map(({ id }) => id.replace(/^rethink-[0-9a-f-]{36}/, 'rethink'))).toEqual([
        'rethink.1.1.1',
        'rethink.2.1.1',
      ]);
      expect(budget.settlements.map(({ outcome }) => outcome.kind)).toEqual(['used', 'used']);
      expect(rows[0]?.usd).toBeGreaterThan(0);
    } finally {
      await api.close();
    }
  });

  it('tries again what may pass, and lists a turn that could not be thought with its reason', async () => {
    const { reasoner, asked } = says(() => ({ kind: 'ask', question: 'hm' }), { fails: 3 });
    const rows = await diff(reasoner);
    expect(asked).toEqual([1, 1, 2, 2]);
    expect(rows[0]).toMatchObject({ now: null, differs: true, note: 'overloaded' });
    expect(rows[1]).toMatchObject({ now: { kind: 'ask' }, differs: true });
  });
});
