import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAct } from '../../activities/act.js';
import { createJudge } from '../../activities/judge.js';
import type { RulingDeps } from '../../activities/ruling.js';
import { createSettle } from '../../activities/settle.js';
import { proposalId, ticketId } from '../../src/domain/ids.js';
import type { PolicyFile } from '../../src/policy/policy-file.js';
import type { ActInput, ActOutcome, Judgement } from '../../workflows/contract.js';
import { until } from '../support/until.js';
import { type Lamp, lampRoom } from './toy-room.js';

const POLICY: PolicyFile = {
  version: 1,
  environment: 'lab',
  autonomy: 'playbooks',
  preApproved: [{ action: 'switch-on', agent: 'keeper', max: { times: 2, per: 'target', withinMs: 3_600_000 } }],
};
const AGENT = {
  name: 'keeper',
  version: 1,
  sha256: 'x',
  subject: 'lamp',
  actions: ['switch-on'],
  looks: { apis: [], programs: [] },
  limits: { turns: 1, looks: 1, acts: 1, tokens: 1, usd: 1, wallMs: 1 },
  runbook: '',
};
const CAUSE = { class: 'lamp-dark', target: 'lamp' };

let folder = '';
let lamp: Lamp;
let policy: PolicyFile;
let recent = 0;
const ran = () =>
  existsSync(join(folder, 'ran')) ? readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n').length : 0;
const journal = () =>
  existsSync(join(folder, 'journal')) ? readdirSync(join(folder, 'journal')).filter((n) => n.startsWith('run')) : [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'medic-act-'));
  lamp = { on: false, serial: 's1' };
  policy = POLICY;
  recent = 0;
  writeFileSync(join(folder, 'switch'), `#!/bin/sh\necho "$@" >> ${join(folder, 'ran')}\necho switched\n`);
  chmodSync(join(folder, 'switch'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deps = (): RulingDeps & {
  rooms: Map<string, ReturnType<typeof lampRoom>>;
  journalDir: string;
  onRuling: () => void;
} => ({
  rooms: new Map([['lamp', lampRoom(lamp, folder)]]),
  desk: { recentRuns: async () => recent },
  policy: async () => policy,
  agent: async () => AGENT,
  self: { paths: [], endpoints: [], programs: [], pids: [] },
  now: Date.now,
  journalDir: join(folder, 'journal'),
  onRuling: () => {},
});

/** As Temporal would run it, in the run `run-1`. */
const inActivity = <T>(work: () => Promise<T>): Promise<T> =>
  new MockActivityEnvironment({ workflowExecution: { workflowId: 'ticket/lamp/1', runId: 'run-1' } }).run(work);

const judge = (): Promise<Judgement> =>
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
      drafts: [{ kind: 'action', action: 'switch-on', target: 'lamp' }],
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
      'it is an HTTP call',
      async () => {
        const input = actInput(await judge());
        return { ...input, plan: { ...input.plan, call: { kind: 'http', api: 'x', method: 'POST', path: '/' } } };
      },
      'an HTTP call cannot be journalled on a host yet: a person does it',
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
    const judged = await inActivity(() =>
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
        drafts: [{ kind: 'action', action: 'smash', target: 'lamp' }],
      }),
    );
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
