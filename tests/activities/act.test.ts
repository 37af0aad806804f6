import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAct } from '../../activities/act.js';
import { createJudge } from '../../activities/judge.js';
import type { RulingDeps } from '../../activities/ruling.js';
import { createSettle } from '../../activities/settle.js';
import { MedicError } from '../../src/domain/errors.js';
import { proposalId, ticketId } from '../../src/domain/ids.js';
import type { HttpCall } from '../../src/domain/query.js';
import { createHttpJournal, type HttpJournal } from '../../src/host/http-journal.js';
import { NOBODY } from '../../src/policy/authority.js';
import type { PolicyFile } from '../../src/policy/policy-file.js';
import type { HttpAnswer } from '../../subjects/protocol.js';
import type { ActInput, ActOutcome, Judgement } from '../../workflows/activity-contract.js';
import { NO_SELF } from '../support/no-self.js';
import { until } from '../support/until.js';
import { type Lamp, lampRoom } from './toy-room.js';

const POLICY: PolicyFile = {
  version: 1,
  environment: 'lab',
  autonomy: 'playbooks',
  preApproved: ['switch-on', 'light'].map((action) => ({
    action,
    agent: 'keeper',
    max: { times: 2, per: 'target', withinMs: 3_600_000 },
  })),
};
const AGENT = {
  name: 'keeper',
  version: 1,
  sha256: 'x',
  subject: 'lamp',
  actions: ['switch-on', 'light'],
  looks: { apis: [], programs: [] },
  limits: { turns: 1, looks: 1, acts: 1, tokens: 1, usd: 1, wallMs: 1 },
  runbook: '',
};
const CAUSE = { class: 'lamp-dark', target: 'lamp' };

let folder = '';
let lamp: Lamp;
let policy: PolicyFile;
let authority: RulingDeps['authority'];
let recent = 0;
const ran = () =>
  existsSync(join(folder, 'ran')) ? readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n').length : 0;
const journal = () =>
  existsSync(join(folder, 'journal')) ? readdirSync(join(folder, 'journal')).filter((n) => n.startsWith('run')) : [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'medic-act-'));
  lamp = { on: false, serial: 's1' };
  policy = POLICY;
  authority = async () => NOBODY;
  recent = 0;
  called = 0;
  answer = async () => ({ status: 200, body: '"lit"\n', node: 'lamp' });
  writeFileSync(join(folder, 'switch'), `#!/bin/sh\necho "$@" >> ${join(folder, 'ran')}\necho switched\n`);
  chmodSync(join(folder, 'switch'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the lamp answers to a call, and how often it was called. */
let answer: (call: HttpCall, signal?: AbortSignal) => Promise<HttpAnswer>;
let called = 0;

function room(): ReturnType<typeof lampRoom> {
  const whole = lampRoom(lamp, folder);
  const http: typeof answer = (call, signal) => {
    called += 1;
    return answer(call, signal);
  };
  return { ...whole, eyes: { ...whole.eyes, http } };
}

const deps = (): RulingDeps & {
  rooms: Map<string, ReturnType<typeof lampRoom>>;
  journalDir: string;
  httpJournal: HttpJournal;
  onRuling: () => void;
} => ({
  rooms: new Map([['lamp', room()]]),
  desk: { recentRuns: async () => recent },
  policy: async () => policy,
  agent: async () => AGENT,
  authority,
  self: NO_SELF,
  now: Date.now,
  journalDir: join(folder, 'journal'),
  httpJournal: createHttpJournal({ dir: join(folder, 'journal'), now: Date.now }),
  onRuling: () => {},
});

/** As Temporal would run it, in the run `run-1`. */
const inActivity = <T>(work: () => Promise<T>): Promise<T> =>
  new MockActivityEnvironment({ workflowExecution: { workflowId: 'ticket/lamp/1', runId: 'run-1' } }).run(work);

const judge = (action = 'switch-on'): Promise<Judgement> =>
  inActivity(() =>
    createJudge(deps()).judge({
      ticket: ticketId('lamp', 1),
      agent: 'keeper',
      phase: 'proposing',
      proposal: {
        id: proposalId('p1'),
        number: 1,
        at: 'now',
        turn: 1,
        title: 't',
        hypothesis: 'H1' as never,
        cause: CAUSE,
        evidence: [],
        effect: '',
        risk: '',
      },
      drafts: [{ kind: 'action', action, target: 'lamp' }],
    }),
  );

function actInput(judged: Judgement, part: Partial<ActInput> = {}): ActInput {
  const [plan] = judged.proposal.steps;
  if (!plan) throw new Error('the judged proposal has no step');
  return {
    ticket: ticketId('lamp', 1),
    proposal: proposalId('p1'),
    step: 1,
    try: 1,
    agent: 'keeper',
    cause: CAUSE,
    plan,
    lease: {
      run: 'run-1',
      ticket: ticketId('lamp', 1),
      target: 'lamp',
      until: new Date(Date.now() + 60_000).toISOString(),
    },
    basis: judged.basis,
    approvedBy: null,
    ...part,
  };
}
const act = (input: ActInput): Promise<ActOutcome> => inActivity(() => createAct(deps()).act(input));

describe('an act', () => {
  it('runs what was ruled on and says how it ended', async () => {
    expect(await act(actInput(await judge()))).toEqual({
      outcome: 'ok',
      exit: 0,
      journal: 'run-1.p1.1.1',
      reason: 'exit 0',
      tail: 'switched',
    });
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('on lamp\n');
  });

  it('asked again with the same key returns what the journal says, and nothing runs', async () => {
    const input = actInput(await judge());
    const first = await act(input);
    expect(await act(input)).toEqual(first);
    expect(ran()).toBe(1);
  });

  it('takes a failing command for a result, not for an error', async () => {
    writeFileSync(join(folder, 'switch'), '#!/bin/sh\necho no fuse >&2\nexit 3\n');
    expect(await act(actInput(await judge()))).toMatchObject({
      outcome: 'failed',
      exit: 3,
      reason: 'exit 3',
      tail: 'no fuse',
    });
  });

  it.each<[string, () => Promise<ActInput>, string | RegExp]>([
    [
      'the lease ends before the command would',
      async () =>
        actInput(await judge(), {
          lease: {
            run: 'r',
            ticket: ticketId('lamp', 1),
            target: 'lamp',
            until: new Date(Date.now() + 1_000).toISOString(),
          },
        }),
      /the lease ends in \d s/,
    ],
    [
      'somebody switched it on meanwhile',
      async () => {
        const input = actInput(await judge());
        lamp.on = true;
        return input;
      },
      /policy now says forbidden: the lamp is on/,
    ],
    [
      'nobody can see the lamp any more',
      async () => {
        const input = actInput(await judge());
        lamp.on = null;
        return input;
      },
      /policy now says unproven/,
    ],
    [
      'policy was changed to ask',
      async () => {
        const input = actInput(await judge());
        policy = { ...POLICY, autonomy: 'ask' };
        return input;
      },
      /policy now says needs-approval/,
    ],
    [
      'the rate was used up by others',
      async () => {
        const input = actInput(await judge());
        recent = 2;
        return input;
      },
      /policy now says needs-approval/,
    ],
    [
      'the host is not known',
      async () => {
        const input = actInput(await judge());
        return { ...input, plan: { ...input.plan, call: { kind: 'shell', host: 'moon', command: 'switch on lamp' } } };
      },
      'no host named moon',
    ],
  ])('refuses when %s, and nothing runs', async (_, prepare, words) => {
    const outcome = await act(await prepare());
    expect(outcome.outcome).toBe('refused');
    expect(outcome.reason).toMatch(words);
    expect(ran()).toBe(0);
    expect(journal()).toEqual([]);
  });

  it('refuses with what changed when the target is another one than was ruled on', async () => {
    const input = actInput(await judge());
    lamp.serial = 's2';
    expect(await act(input)).toMatchObject({ outcome: 'refused', changes: ['serial: s1 -> s2'] });
    expect(ran()).toBe(0);
  });

  it('runs what a person approved although policy alone would ask', async () => {
    policy = { ...POLICY, autonomy: 'ask' };
    const judged = await judge();
    expect(judged.ruling.kind).toBe('needs-approval');
    expect(await act(actInput(judged))).toMatchObject({ outcome: 'refused' });
    expect(await act(actInput(judged, { approvedBy: 'ana' }))).toMatchObject({ outcome: 'ok' });
  });

  it('takes an approval of an older workflow for an unsigned one, which is not enough outside the lab', async () => {
    policy = { ...POLICY, environment: 'prod', autonomy: 'ask' };
    expect(await act(actInput(await judge(), { approvedBy: 'ana' }))).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('in environment prod an unsigned answer is not enough'),
    });
    expect(ran()).toBe(0);
  });

  it('refuses what medic.yaml lets only be observed, and everything while medic.yaml has a mistake', async () => {
    const input = actInput(await judge(), { approvedBy: 'ana' });
    authority = async () => ({ ...NOBODY, autonomy: { lamp: 'observe' } });
    expect(await act(input)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('only observed') });
    authority = () => Promise.reject(new MedicError('MEDIC_CONFIG_INVALID', 'medic.yaml:3:5  no'));
    expect(await act(input)).toMatchObject({
      outcome: 'refused',
      reason: 'it cannot be ruled on: MEDIC_CONFIG_INVALID medic.yaml:3:5  no',
    });
    expect(ran()).toBe(0);
  });

  it('ends the command and reports a cancellation when it is aborted', async () => {
    writeFileSync(join(folder, 'switch'), `#!/bin/sh\nsleep 30\necho late >> ${join(folder, 'ran')}\n`);
    const input = actInput(await judge());
    const env = new MockActivityEnvironment({ workflowExecution: { workflowId: 'ticket/lamp/1', runId: 'run-1' } });
    const running = env.run(() => createAct(deps()).act(input));
    const ended = running.then(
      () => 'done',
      (error: Error) => error.name,
    );
    await until(
      'the command to be started',
      () => (existsSync(join(folder, 'journal', 'run-1.p1.1.1', 'started')) ? true : undefined),
      {
        deadlineMs: 10_000,
      },
    );
    env.cancel('CANCELLED');
    expect(await ended).toBe('CancelledFailure');
    const settled = await inActivity(() =>
      createSettle(deps()).settle({
        ticket: ticketId('lamp', 1),
        proposal: proposalId('p1'),
        step: 1,
        try: 1,
        plan: input.plan,
      }),
    );
    expect(settled).toMatchObject({ entry: 'finished', done: 'no' });
    expect(ran()).toBe(0);
  });
});

describe('an act that is an HTTP call', () => {
  const judgeCall = () => judge('light');
  const settle = ({ ticket, proposal, plan }: ActInput) =>
    inActivity(() => createSettle(deps()).settle({ ticket, proposal, step: 1, try: 1, plan }));

  it('is sent once, and its answer comes from the journal when it is asked again', async () => {
    const input = actInput(await judgeCall());
    const first = await act(input);
    expect(first).toEqual({ outcome: 'ok', exit: null, journal: 'run-1.p1.1.1', reason: 'HTTP 200', tail: '"lit"' });
    expect(await act(input)).toEqual(first);
    expect(called).toBe(1);
  });

  it.each([
    [410, '[PD:core:ErrStoreRemoved]store 4 has been removed\n'],
    [500, 'no fuse'],
  ])('takes %i for a result, with the words that came', async (status, body) => {
    answer = async () => ({ status, body, node: 'lamp' });
    expect(await act(actInput(await judgeCall()))).toMatchObject({
      outcome: 'failed',
      reason: `HTTP ${status}`,
      tail: body.trim(),
    });
  });

  it('does not know what came of one without an answer, and never sends it again', async () => {
    answer = async () => ({ status: null, body: '', failure: 'no answer within 900 ms', node: 'lamp' });
    const input = actInput(await judgeCall());
    await expect(act(input)).rejects.toThrow('run-1.p1.1.1: no answer within 900 ms');
    await expect(act(input)).rejects.toThrow('run-1.p1.1.1: no answer within 900 ms');
    expect(called).toBe(1);
    expect(await settle(input)).toMatchObject({
      entry: 'finished',
      done: 'no',
      reason: 'the journal says it ended with no answer within 900 ms; the lamp is off',
    });
  });

  it('knows that nothing happened when nobody took the connection', async () => {
    answer = async () => ({ status: null, body: '', failure: 'connection refused', sent: false, node: null });
    expect(await act(actInput(await judgeCall()))).toMatchObject({
      outcome: 'refused',
      reason: 'nothing was sent: connection refused',
    });
  });

  it('is ended at its deadline', async () => {
    answer = untilAborted;
    const input = actInput(await judgeCall());
    const short = { ...input, plan: { ...input.plan, timeoutMs: 50 } };
    await expect(act(short)).rejects.toThrow('run-1.p1.1.1: aborted');
  });

  it('is ended by an abort, and reported as cancelled', async () => {
    answer = untilAborted;
    const input = actInput(await judgeCall());
    const env = new MockActivityEnvironment({ workflowExecution: { workflowId: 'ticket/lamp/1', runId: 'run-1' } });
    const ended = env
      .run(() => createAct(deps()).act(input))
      .then(
        () => 'done',
        (error: Error) => error.name,
      );
    await until('the call to be sent', () => (called > 0 ? true : undefined), { deadlineMs: 5_000 });
    env.cancel('CANCELLED');
    expect(await ended).toBe('CancelledFailure');
    expect(await settle(input)).toMatchObject({ entry: 'finished', done: 'no' });
    expect(called).toBe(1);
  });

  it('was never sent when nothing is in the journal', async () => {
    expect(await settle(actInput(await judgeCall()))).toMatchObject({
      entry: 'none',
      reason: 'the journal says it was never sent; the lamp is off',
    });
  });

  const untilAborted = (_: HttpCall, signal?: AbortSignal): Promise<HttpAnswer> =>
    new Promise((resolve) => {
      const end = () => resolve({ status: null, body: '', failure: 'aborted', node: 'lamp' });
      signal?.addEventListener('abort', end);
    });
});

describe('settling', () => {
  it('tells a command that never started from one that ran', async () => {
    const input = actInput(await judge());
    const settle = () =>
      inActivity(() =>
        createSettle(deps()).settle({
          ticket: input.ticket,
          proposal: input.proposal,
          step: 1,
          try: 1,
          plan: input.plan,
        }),
      );
    expect(await settle()).toMatchObject({
      entry: 'none',
      done: 'no',
      reason: 'the journal says it never started; the lamp is off',
    });
    await act(input);
    lamp.on = true;
    expect(await settle()).toMatchObject({ entry: 'finished', exit: 0, done: 'yes' });
    expect(ran()).toBe(1);
  });
});

describe('judging', () => {
  it('refuses an action that the catalogue does not have', async () => {
    const judged = await judge('smash');
    expect(judged.ruling).toEqual({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_SCOPE',
      reason: 'the catalogue has no such action: smash',
    });
  });

  it('gives one basis hash for ten rulings on an unchanged target', async () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 10; i += 1) hashes.add((await judge()).basisHash);
    expect(hashes.size).toBe(1);
  });
});
