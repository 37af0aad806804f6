import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../src/config/agent.js';
import { loadPolicy } from '../../../src/config/policy.js';
import type { Step } from '../../../src/domain/proposal.js';
import { judgeProposal } from '../../../src/policy/judge.js';
import type { PolicyFile } from '../../../src/policy/policy-file.js';
import { ACTIONS } from '../../../subjects/tikv/actions.js';
import { UPSTREAM } from '../../../subjects/tikv/causes.js';
import type { TikvPicture, Vitals } from '../../../subjects/tikv/picture.js';
import { RULES } from '../../../subjects/tikv/rules.js';
import { askHostForNodes, askPdForStores, askPdMembers } from '../../../subjects/tikv/services.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { NO_SELF } from '../../support/no-self.js';
import { AT, died, fact, healthy, limits, nothing, pdStore, withStore, witness } from './pictures.js';
import { board, type Reply } from './rule-board.js';

const told = (changes: Partial<Vitals['scheduling']>, picture = healthy()): TikvPicture => ({
  ...picture,
  vitals: { ...picture.vitals, scheduling: { ...picture.vitals.scheduling, ...changes } },
});

/** The rule that such a ticket follows, and its target. */
const ORDERS: readonly [string, string] = ['moved-leaders', 'cluster'];

/** The cure that a rule has for a cause in this picture. */
function cureOf(picture: TikvPicture, cause: string, [rule, target] = ORDERS) {
  const suspects = RULES.find(({ name }) => name === rule)!.suspects(target, picture);
  const suspect = suspects.find((one) => one.cause.class === cause)!;
  const drafts = suspect.cure?.steps ?? [];
  return {
    cause: suspect.cause,
    steps: drafts.flatMap((draft) => (draft.kind === 'action' ? [`${draft.action} ${draft.target}`] : [])),
  };
}

const evicted = told({
  schedulers: fact(['balance-leader-scheduler', 'evict-leader-scheduler']),
  held: fact({ 'evict-leader-scheduler': ['2', '4'] }),
});
const strangled = { '3': { 'add-peer': 0.1, 'remove-peer': 0.1 } };

describe('the cure of orders to PD', () => {
  it('takes away what was added, one store at a time, and what is paused beside it', () => {
    expect(cureOf(evicted, 'foreign-scheduler').steps).toEqual([
      'remove-scheduler evict-leader-scheduler-2',
      'remove-scheduler evict-leader-scheduler-4',
    ]);
    const paused = told({ paused: fact(['balance-leader-scheduler']) }, evicted);
    expect(cureOf(paused, 'foreign-scheduler').steps.at(-1)).toBe('resume-scheduler balance-leader-scheduler');
    const found = board(paused, [], ['moved-leaders', 'cluster']);
    expect(found['foreign-scheduler/cluster']).toMatchObject({ status: 'supported', confidence: 0.9 });
    expect(found['scheduling-stopped/cluster']).toMatchObject({ status: 'supported', confidence: 0.6 });
  });

  it('resumes and restores what keeps PD from moving anything', () => {
    const stopped = told({
      paused: fact(['balance-leader-scheduler']),
      limits: limits({ leaders: 0, stores: strangled }),
    });
    expect(cureOf(stopped, 'scheduling-stopped').steps).toEqual([
      'resume-scheduler balance-leader-scheduler',
      'restore-limit leader-schedule-limit',
      'restore-add-peer-limit tikv-2',
      'restore-remove-peer-limit tikv-2',
    ]);
    const all = told({ paused: fact(['a-scheduler', 'b-scheduler', 'c-scheduler']) });
    expect(cureOf(all, 'scheduling-stopped').steps).toEqual(['resume-scheduler all']);
  });

  it('gives stores their leader weight again', () => {
    const weighed = withStore(healthy(), 'tikv-2', { pd: pdStore('3', { weights: { leader: 0, region: 2 } }) });
    const found = board(weighed, [], ['moved-leaders', 'cluster']);
    expect(found['scheduling-stopped/cluster']).toMatchObject({ status: 'supported', confidence: 0.9 });
    expect(cureOf(weighed, 'scheduling-stopped').steps).toEqual(['restore-leader-weight tikv-2']);
  });

  it('is left to a person where something cannot be put back, or is not known', () => {
    const scatter = told({ schedulers: fact(['scatter-range-scheduler']) }, evicted);
    expect(cureOf(scatter, 'foreign-scheduler').steps).toEqual([]);
    expect(cureOf(told({ held: nothing }, evicted), 'foreign-scheduler').steps).toEqual([]);
    expect(cureOf(told({ limits: limits({ leaders: 0, halted: true }) }), 'scheduling-stopped').steps).toEqual([]);
  });

  it('waits until every store is well', () => {
    const dead = withStore(evicted, 'tikv-1', { witness: died() });
    expect(board(dead, [], ['moved-leaders', 'cluster'])['foreign-scheduler/cluster']).toMatchObject({
      status: 'open',
      tooEarly: true,
      because: expect.stringContaining('first tikv-1 must be well'),
    });
  });

  it('takes a removal back while the store is Offline, and not once it has left', () => {
    const offline = (state: 'Offline' | 'Tombstone') => withStore(healthy(), 'tikv-2', { pd: pdStore('3', { state }) });
    const steps = (picture: TikvPicture) => cureOf(picture, 'store-offline', ['store-trouble', 'tikv-2']).steps;
    expect(steps(offline('Offline'))).toEqual(['cancel-removal tikv-2']);
    expect(steps(offline('Tombstone'))).toEqual([]);
    expect(steps(withStore(healthy(), 'tikv-2', { pd: fact(null) }))).toEqual([]);
  });
});

describe('what comes before an order to PD is changed', () => {
  const nodes = (state: 'running' | 'exited') =>
    JSON.stringify(['pd-0', 'tikv-0'].map((name) => ({ name, ...witness({ state }).value })));
  const answers = (state: 'running' | 'exited' = 'running'): Reply[] => [
    { call: askHostForNodes(), exit: 0, body: nodes(state) },
    { call: askPdForStores(), exit: 200, body: '{}' },
    { call: askPdMembers(), exit: 200, body: '{}' },
  ];
  const upstream = (picture: TikvPicture, replies: readonly Reply[]) => {
    const found = board(picture, replies, ORDERS);
    return UPSTREAM.map((name) => found[`${name}/${name === 'pd-stale' ? 'pd' : 'cluster'}`]!);
  };

  it('is refuted by an answered look each', () => {
    for (const { status, against } of upstream(evicted, answers())) {
      expect(status).toBe('refuted');
      expect(against.some((id) => id !== 'e1')).toBe(true);
    }
  });

  it('stays open while nobody was asked, and when the host shows a process ended', () => {
    expect(upstream(evicted, []).map(({ status }) => status)).toEqual(['open', 'open', 'open', 'refuted']);
    expect(upstream(evicted, answers('exited'))[0]).toMatchObject({ status: 'open', for: ['e2'] });
  });
});

describe('policy on these cures', () => {
  const cases: readonly (readonly [string, TikvPicture, string, readonly [string, string]])[] = [
    ['foreign schedulers', evicted, 'foreign-scheduler', ORDERS],
    [
      'pauses and limits',
      told({ paused: fact(['a-scheduler']), limits: limits({ leaders: 0, stores: strangled }) }),
      'scheduling-stopped',
      ORDERS,
    ],
    [
      'a removal',
      withStore(healthy(), 'tikv-2', { pd: pdStore('3', { state: 'Offline' }) }),
      'store-offline',
      ['store-trouble', 'tikv-2'],
    ],
  ];

  it.each(cases)('pre-approves them in the lab: %s', async (_, picture, cause, rule) => {
    const { policy } = await loadPolicy('policies/lab.yaml');
    expect(await ruling(picture, policy, { cause, rule })).toMatchObject({ kind: 'pre-approved' });
  });

  it.each(cases)('asks a person wherever no policy names them: %s', async (_, picture, cause, rule) => {
    const policy: PolicyFile = { version: 1, environment: 'production', autonomy: 'playbooks', preApproved: [] };
    expect(await ruling(picture, policy, { cause, rule })).toMatchObject({ kind: 'needs-approval' });
  });
});

interface Asked {
  readonly cause: string;
  readonly rule: readonly [string, string];
}

async function ruling(picture: TikvPicture, policy: PolicyFile, asked: Asked) {
  const cure = cureOf(picture, asked.cause, asked.rule);
  const agent = await loadAgent('agents/on-call-triage.md');
  expect(cure.steps.length).toBeGreaterThan(0);
  const inputs = cure.steps.map((text) => {
    const [name, target = ''] = text.split(' ');
    const action = ACTIONS.find((one) => one.name === name)!;
    const step: Step = {
      describe: action.describe(target),
      action: action.name,
      target,
      call: action.call(target, picture),
      inverse: action.inverse(picture, target),
      timeoutMs: action.timeoutMs,
    };
    return {
      step,
      phase: 'proposing' as const,
      cause: cure.cause,
      scope: { agent: agent.name, actions: agent.actions },
      autonomy: policy.autonomy,
      policy,
      rules: {
        commandRows: TIKV.commandRows,
        httpRows: TIKV.httpRows,
        self: NO_SELF,
        endpoints: {},
      },
      quorum: TIKV.quorum(picture),
      precondition: action.precondition(picture, target),
      recentActs: 0,
      now: AT,
      maxPictureAgeMs: 3_000,
      targetFacts: TIKV.identity(picture, target),
    };
  });
  return judgeProposal(inputs).ruling;
}
