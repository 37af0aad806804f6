import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MedicError } from '../../../../src/domain/errors.js';
import type { NextStep } from '../../../../src/domain/next-step.js';
import type { Reasoner } from '../../../../src/reasoner/reasoner.js';
import { packageRoot } from '../../../../src/runtime/package-root.js';
import { backtestPrompt } from '../../../../src/runtime/whatif/backtest.js';
import { readRecording } from '../../../../src/runtime/whatif/recording.js';
import { memoryStore } from '../../reasoner/claude/room.js';

const NAME = 'worker-killed-at-the-gate.json';

/** A recorded ticket, as if a model had thought it. */
function byModel() {
  const history = JSON.parse(readFileSync(join(packageRoot(), 'tests', 'histories', NAME), 'utf8'));
  for (const event of history.events) {
    const payload = event.activityTaskCompletedEventAttributes?.result?.payloads?.[0];
    const value = payload?.data && JSON.parse(Buffer.from(payload.data, 'base64').toString());
    if (!value?.nextStep) continue;
    const thought = { ...value, reasoner: 'claude', model: 'claude-test', promptSha: 'the old prompt' };
    payload.data = Buffer.from(JSON.stringify(thought)).toString('base64');
  }
  return readRecording({ history: JSON.stringify(history), workflowId: 'ticket/tikv/1', source: NAME });
}

const says = (step: (turn: number) => NextStep): Reasoner => ({
  name: 'test',
  reason: async ({ turn }) => ({ nextStep: step(turn), hypotheses: [] }) as never,
});

const refuses: Reasoner = {
  name: 'nobody',
  reason: async () => {
    throw new MedicError('MEDIC_REASONER_UNAVAILABLE', 'the ceiling of 1.00 USD');
  },
};

const test = (reasoner: Reasoner, promptSha: string) =>
  backtestPrompt(
    { recording: byModel(), evidence: memoryStore() },
    { reasoner, promptSha, evidence: memoryStore(), tries: 1 },
  );

describe('a backtest of a prompt', () => {
  it('asks nobody about what was thought with that prompt', async () => {
    const rows = await test(refuses, 'the old prompt');
    expect(rows.map(({ turn, differs, usd, reason }) => ({ turn, differs, usd, reason }))).toEqual([
      { turn: 1, differs: false, usd: 0, reason: 'the same prompt' },
      { turn: 2, differs: false, usd: 0, reason: 'the same prompt' },
    ]);
  });

  it('lists the turns that would lead elsewhere', async () => {
    const rows = await test(
      says(() => ({ kind: 'escalate', why: 'no idea' })),
      'a new prompt',
    );
    expect(rows.map(({ what, differs, now }) => ({ what, differs, now }))).toEqual([
      { what: 'next step', differs: true, now: 'escalate a person' },
      { what: 'next step', differs: true, now: 'escalate a person' },
    ]);
    expect(rows[1]?.recorded).toMatch(/^propose process-dead\/tikv-\d: start-store tikv-\d$/);
  });

  it('does not take a thought that could not be had for a change', async () => {
    const rows = await test(refuses, 'a new prompt');
    expect(rows.map(({ now, differs, reason }) => ({ now, differs, reason }))).toEqual(
      [1, 2].map(() => ({ now: null, differs: false, reason: 'the ceiling of 1.00 USD' })),
    );
  });
});
