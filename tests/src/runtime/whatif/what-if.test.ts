import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../../src/config/agent.js';
import { loadPolicy } from '../../../../src/config/policy.js';
import { evidenceId } from '../../../../src/domain/ids.js';
import type { NextStep } from '../../../../src/domain/next-step.js';
import type { TrailEvent } from '../../../../src/domain/trail.js';
import { createOverlayStore } from '../../../../src/evidence/overlay-store.js';
import type { PolicyFile } from '../../../../src/policy/policy-file.js';
import type { Reasoner } from '../../../../src/reasoner/reasoner.js';
import { contentFiles } from '../../../../src/runtime/content.js';
import { packageRoot } from '../../../../src/runtime/package-root.js';
import { workflowBundlePath } from '../../../../src/runtime/replay.js';
import { readRecording } from '../../../../src/runtime/whatif/recording.js';
import { rejudge } from '../../../../src/runtime/whatif/rejudge.js';
import { createSandboxes, type Sandboxes } from '../../../../src/runtime/whatif/sandbox.js';
import { type WhatIfOptions, whatIf } from '../../../../src/runtime/whatif/what-if.js';
import { tikvRules } from '../../../../src/runtime/worker/reasoner.js';
import { fact, withStore, witness } from '../../../subjects/tikv/pictures.js';
import { dead, type KilledRecord, killedRecord, takenAt } from '../../../support/killed-record.js';
import { STORY } from '../../../support/killed-store.js';

let sandboxes: Sandboxes;
let record: KilledRecord;
beforeAll(async () => {
  sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  record = await killedRecord(sandboxes);
}, 60_000);
afterAll(() => sandboxes?.close());

const run = (part: Partial<WhatIfOptions> & Pick<WhatIfOptions, 'turn'>) =>
  whatIf({
    sandboxes,
    recording: readRecording(record),
    trail: null,
    evidence: createOverlayStore({ bodies: record.bodies }),
    bodies: new Map(),
    answer: null,
    thinking: { stands: () => true, reasoner: tikvRules(), tries: 1 },
    rule: { when: 'unrecorded', judge: async () => ({ kind: 'cannot-tell', why: 'the test has no policy' }) },
    secrets: [],
    run: 'whatif-test',
    ...part,
  });

/** The policy of the lab, changed. */
async function ruled(change: Partial<PolicyFile>, missing: readonly string[] = []): Promise<WhatIfOptions['rule']> {
  const files = contentFiles();
  const [{ policy }, agent] = await Promise.all([loadPolicy(files.policyFile), loadAgent(files.agentFile)]);
  const runs = async () => ({ acts: [], missing });
  return { when: 'always', judge: (ask) => rejudge(ask, { policy: { ...policy, ...change }, agent, runs }) };
}

const NOBODY: Reasoner = {
  name: 'nobody',
  reason: async ({ turn }) => {
    throw new Error(`turn ${turn} is thought again`);
  },
};

const says = (nextStep: NextStep): Reasoner => ({
  name: 'test',
  reason: async () => ({
    nextStep,
    hypotheses: [],
    reasoner: 'test',
    model: null,
    requestId: null,
    promptSha: 'p',
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
  }),
});

const types = (events: readonly TrailEvent[]) => events.map(({ type }) => type);

describe('a recorded ticket that is run on', () => {
  it('goes the way it went when nothing is changed, and nobody thinks', async () => {
    const { recorded, now, divergence, stopped, common } = await run({
      turn: 1,
      thinking: { stands: () => true, reasoner: NOBODY, tries: 1 },
    });
    expect({ recorded, now, divergence, stopped }).toEqual({ recorded: [], now: [], divergence: null, stopped: null });
    expect(common[0]).toMatchObject({ type: 'turn', turn: 1 });
    expect(common.at(-1)).toMatchObject({ type: 'closed', phase: 'resolved' });
  });

  it('is thought again by the rules and ruled on again by the same policy, and goes the same way', async () => {
    const thinking = { stands: () => false, reasoner: tikvRules(), tries: 1 };
    const again = await run({ turn: 1, thinking, rule: await ruled({}) });
    expect(again).toMatchObject({ divergence: null, stopped: null, now: [], recorded: [] });
  });

  it('is refused a turn that it never had', async () => {
    await expect(run({ turn: 3 })).rejects.toMatchObject({
      code: 'MEDIC_WHATIF_TURN',
      message: 'there is no turn 3; its turns are 1, 2',
    });
  });

  it('of an older version is told as it was told then where the present code goes another way by itself', async () => {
    const name = 'worker-killed-at-the-gate.json';
    const old = oldHistory(readFileSync(join(packageRoot(), 'tests', 'histories', name), 'utf8'));
    const recording = readRecording({ history: old, workflowId: 'ticket/tikv/1', source: name });
    const { divergence, recorded, notes } = await run({ turn: 1, recording, trail: STORY });
    expect(divergence).toMatchObject({
      turn: 2,
      what: 'what it does next',
      recorded: 'have the proposal ruled on',
      now: 'open another turn',
    });
    expect(notes).toContain('the present code goes another way by itself, in turn 2');
    expect(types(recorded)).toContain('acted');
  });
});

/** Before proposals had to name the look that could have refuted them. */
function oldHistory(text: string): string {
  const history = JSON.parse(text);
  for (const event of history.events) {
    const payload = event.activityTaskCompletedEventAttributes?.result?.payloads?.[0];
    const value = payload?.data && JSON.parse(Buffer.from(payload.data, 'base64').toString());
    if (value?.nextStep?.kind !== 'propose') continue;
    const { test: _, ...proposal } = value.nextStep.proposal;
    payload.data = Buffer.from(JSON.stringify({ ...value, nextStep: { kind: 'propose', proposal } })).toString(
      'base64',
    );
  }
  return JSON.stringify(history);
}

describe('what if somebody else thinks', () => {
  it('parts where the step is another one, and is answered what was recorded', async () => {
    const call = { kind: 'shell', host: 'lab', command: 'labctl inspect tikv-0' } as const;
    const thinking = { stands: () => false, reasoner: says({ kind: 'look', why: 'again', calls: [call] }), tries: 1 };
    const { divergence, now, stopped } = await run({ turn: 2, thinking });
    expect(divergence).toMatchObject({
      turn: 2,
      what: 'what it thinks',
      recorded: 'propose process-dead/tikv-0: start-store tikv-0',
      now: 'look lab$ labctl inspect tikv-0',
    });
    const looks = now.flatMap((event) => (event.type === 'looked' ? event.evidence : []));
    expect(looks[0]).toMatchObject({ id: 'e8', call, exit: 0 });
    // Seven turns of the same look, and the ticket itself hands over.
    expect(now.filter(({ type }) => type === 'looked')).toHaveLength(6);
    expect(now.findLast(({ type }) => type === 'escalated')).toMatchObject({
      reason: expect.stringContaining('no progress'),
    });
    expect(stopped).toMatch(/^handed over to a person/);
  });

  it('stops where it asks for what nobody ever asked', async () => {
    const call = { kind: 'shell', host: 'lab', command: 'labctl inspect tikv-3' } as const;
    const thinking = { stands: () => false, reasoner: says({ kind: 'look', why: 'hm', calls: [call] }), tries: 1 };
    const { stopped, now } = await run({ turn: 2, thinking });
    expect(stopped).toBe('turn 2 asked for lab$ labctl inspect tikv-3: nothing recorded');
    expect(types(now)).not.toContain('looked');
  });

  it('stops before it pays for a thought that nobody asked for', async () => {
    const bodies = new Map([[evidenceId(2), '{"name":"tikv-0","state":"paused"}']]);
    const { stopped } = await run({ turn: 2, bodies, thinking: { stands: () => true, reasoner: null, tries: 1 } });
    expect(stopped).toContain('turn 2 asked for a thought of the model (say who thinks with --reasoner)');
  });
});

describe('what if the evidence had been another one', () => {
  it('is thought about the new answer: a process that is there but stopped is not started', async () => {
    const frozen = witness({ state: 'paused' });
    const body = JSON.stringify({ name: 'tikv-0', ...(frozen.known ? frozen.value : {}) });
    const { divergence, now } = await run({ turn: 2, bodies: new Map([[evidenceId(2), body]]) });
    expect(divergence).toMatchObject({ turn: 2, what: 'what it thinks' });
    expect(divergence?.now).not.toContain('start-store');
    expect(types(now)).not.toContain('acted');
  });

  it('takes another picture, too, and what is broken in it', async () => {
    const { facts } = readRecording(record);
    const askedAt = facts.find(({ name, turn }) => name === 'lookAtPicture' && turn === 2)?.askedAt ?? 0;
    const picture = takenAt(withStore(dead(), 'tikv-0', { witness: witness({ stoppedByRequest: true }) }), askedAt);
    const { now, common } = await run({ turn: 2, bodies: new Map([[evidenceId(7), picture]]) });
    const pictures = [...common, ...now].flatMap((event) => (event.type === 'picture' ? [event] : []));
    expect(pictures[0]?.evidence).toBe('e7');
    expect(pictures[0]?.lines.join('\n')).toContain('tikv-0');
  });

  it.each([
    [evidenceId(99), '{}', 'tikv/1 has no evidence e99'],
    [evidenceId(1), 'no picture', 'e1 is a picture, and the file is none'],
  ])('is refused %s', async (id, body, message) => {
    await expect(run({ turn: 1, bodies: new Map([[id, body]]) })).rejects.toMatchObject({
      code: 'MEDIC_WHATIF_EVIDENCE',
      message: expect.stringContaining(message),
    });
  });
});

describe('what if the policy had been another one', () => {
  it('asks for approval, and says that nobody is known to have answered', async () => {
    const { divergence, now, stopped } = await run({ turn: 1, rule: await ruled({ preApproved: [] }) });
    expect(divergence).toMatchObject({
      turn: 2,
      what: 'the ruling on #1',
      recorded: expect.stringMatching(/^pre-approved: /),
      now: 'needs-approval: policy lab does not pre-approve start-store for on-call-triage',
    });
    expect(types(now)).not.toContain('acted');
    expect(stopped).toBe('#1 waits for an answer: nothing recorded (say --approve or --deny)');
  });

  it('runs nothing anew once it is approved: the same act and the samples after it are those of the record', async () => {
    const { now, stopped } = await run({ turn: 1, rule: await ruled({ preApproved: [] }), answer: 'approve' });
    expect(stopped).toBeNull();
    expect(now.filter(({ type }) => type === 'acted')).toMatchObject([{ outcome: 'ok', reason: 'exit 0' }]);
    expect(now.findLast(({ type }) => type === 'closed')).toMatchObject({ phase: 'resolved' });
  });

  it('goes back to the reasoner when it is denied', async () => {
    const { now, stopped } = await run({ turn: 1, rule: await ruled({ preApproved: [] }), answer: 'deny' });
    expect(now.filter(({ type }) => type === 'decided')).toMatchObject([{ answer: 'deny', by: 'what-if' }]);
    expect(types(now)).not.toContain('acted');
    expect(stopped).toMatch(/^handed over to a person/);
  });

  it('says so where the rate could have been used up by tickets that are not there', async () => {
    const { notes } = await run({ turn: 1, rule: await ruled({}, ['tikv/0']) });
    expect(notes).toEqual(['#1 is pre-approved unless its rate was used up: what tikv/0 did is not known here']);
  });

  it('cannot tell when the picture of the turn is not the ground of the ruling', async () => {
    const { facts } = readRecording(record);
    const askedAt = facts.find(({ name, turn }) => name === 'lookAtPicture' && turn === 2)?.askedAt ?? 0;
    const bodies = new Map([
      [evidenceId(7), takenAt(withStore(dead(), 'tikv-1', { witness: fact({ ...DEAD }) }), askedAt)],
    ]);
    const { stopped } = await run({ turn: 2, bodies, rule: await ruled({}) });
    expect(stopped).toContain('the facts had changed since the picture of the turn');
  });
});

const DEAD = {
  state: 'exited' as const,
  stoppedByRequest: false,
  pid: null,
  startedAt: '2026-11-30T13:00:00.000Z',
  finishedAt: '2026-11-30T13:59:58.000Z',
  exitCode: 137,
  signal: 'SIGKILL',
  starts: 1,
};
