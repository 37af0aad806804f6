import { beforeAll, describe, expect, it } from '@jest/globals';
import { causeName } from '../../../src/domain/cause.js';
import type { HypothesisStatus } from '../../../src/domain/hypothesis.js';
import { GIVE_UP_AFTER } from '../../../src/domain/progress.js';
import { anyTime, type Diagnosis } from './recorded-diagnoses.js';
import { type Moment, readRecording, SCENARIOS, type Scenario } from './recorded-pictures.js';
import { type Filed, filedIn, investigate, type Story, violationsIn } from './recorded-ticket.js';

/** The tickets of a recording, each with how the rules end it. */
async function treat(scenario: Scenario) {
  const { moments, healedAtS } = readRecording(scenario);
  const tickets = await Promise.all(
    filedIn(moments).map(async (filed) => ({ filed, story: await investigate({ moments, filed }) })),
  );
  return { moments, healedAtS, tickets };
}

const causes = ({ last }: Story, status: HypothesisStatus) =>
  last.hypotheses.filter((one) => one.status === status).map(({ cause }) => causeName(cause));

const actsOf = ({ last: { nextStep } }: Story): readonly string[] =>
  nextStep.kind === 'propose'
    ? nextStep.proposal.steps.map((step) => (step.kind === 'action' ? `${step.action} ${step.target}` : 'a call'))
    : [];

/** Everything that the rules ever propose in a recording. */
const CURES: Partial<Record<Scenario, readonly string[]>> = {
  node_kill: ['start-store tikv0'],
  node_kill_few_leaders: ['start-store tikv0'],
  node_kill_down: ['start-store tikv0'],
  process_pause: ['resume-process tikv1'],
  store_offline_by_mistake: ['cancel-removal tikv1'],
  pd_follower_kill: ['start-pd-member pd1'],
  pd_leader_kill: ['start-pd-member pd1'],
  two_pds_killed: ['start-pd-member pd0', 'start-pd-member pd1'],
};

const targetsOf = (tickets: readonly { readonly filed: Filed }[]) =>
  tickets.map(({ filed }) => filed.violations.find(({ target }) => target !== null)?.target ?? null);

/** Investigates as if a ticket were opened at each moment at which something is wrong. */
async function storiesAtAnyTime(moments: readonly Moment[], from: number, to: number): Promise<Story[]> {
  const wrong = moments
    .filter(({ s }) => s >= from && s <= to)
    .map(({ s, picture }) => ({ s, by: 'files' as const, violations: violationsIn(picture) }))
    .filter(({ violations }) => violations.length > 0);
  return Promise.all(wrong.map((filed) => investigate({ moments, filed })));
}

describe('a recorded killed store', () => {
  it('is told from its neighbours and proposed to be started', async () => {
    const { tickets } = await treat('node_kill');
    expect(new Set(targetsOf(tickets))).toEqual(new Set([null, 'tikv0']));
    for (const { story } of tickets) {
      expect(causes(story, 'supported')).toEqual(['process-dead/tikv0']);
      expect(causes(story, 'refuted')).toEqual([
        'crash-loop/tikv0',
        'stopped-by-request/tikv0',
        'process-frozen/tikv0',
        'link-loss/tikv0',
        'pd-stale/pd',
      ]);
      expect(story.last.nextStep).toMatchObject({
        kind: 'propose',
        proposal: {
          cause: { class: 'process-dead', target: 'tikv0' },
          steps: [{ kind: 'action', action: 'start-store', target: 'tikv0' }],
        },
      });
      expect(story.steps.map(({ kind }) => kind)).toEqual(['look', 'propose']);
      expect(story.calls).toEqual([
        'lab$ labctl inspect tikv0',
        'lab$ labctl logs tikv0 --tail 20',
        'tikv-status tikv0 GET /status',
        'pd GET /pd/api/v1/store/1',
        'pd GET /pd/api/v1/members',
      ]);
    }
  });

  it('cites only evidence that says so: the host, the port and the log', async () => {
    const { tickets } = await treat('node_kill');
    const dead = tickets[0]!.story.last.hypotheses.find(({ status }) => status === 'supported')!;
    expect(dead).toMatchObject({ confidence: 0.95, for: ['e2', 'e4', 'e3'], against: [] });
    expect(dead.because).toBe(
      'the host shows tikv0 exited 137, died, its port: connection refused, its log ends abruptly',
    );
  });

  it('leads to the same proposal whenever it is looked at while it is dead', async () => {
    const { moments, healedAtS } = readRecording('node_kill');
    const stories = await storiesAtAnyTime(moments, 3, Math.floor(healedAtS) - 3);
    expect(stories.length).toBeGreaterThan(50);
    for (const { last } of stories) expect(last.nextStep).toMatchObject({ kind: 'propose' });
  });

  it('is not started again once its process runs, although PD still calls it Disconnected', async () => {
    const { moments, healedAtS } = readRecording('node_kill');
    const stories = await storiesAtAnyTime(moments, Math.ceil(healedAtS) + 1, 100);
    expect(stories.length).toBeGreaterThan(5);
    for (const story of stories) {
      expect(story.last.nextStep).toMatchObject({ kind: 'conclude', conclusion: 'transient' });
      expect(story.steps.slice(1, -1).every((step) => step.kind === 'look' && step.why.startsWith('too early'))).toBe(
        true,
      );
    }
  });

  it('is not proposed to be started a second time when that did not help', async () => {
    const { moments } = readRecording('node_kill');
    const [filed] = filedIn(moments);
    const cause = { class: 'process-dead', target: 'tikv0' };
    const ran = { number: 1, title: '', cause, ruling: 'pre-approved', end: 'ran', note: '' } as const;
    const { last } = await investigate({ moments, filed: filed!, proposals: [ran] });
    expect(last.nextStep).toMatchObject({
      kind: 'escalate',
      why: expect.stringMatching(
        /^process-dead\/tikv0: proposal #1 was carried out, and it has not helped\. Ruled out: /,
      ),
    });
  });
});

describe('other recorded faults', () => {
  it.each([
    ['process_pause', 'tikv1', 'process-frozen/tikv1', ['resume-process tikv1']],
    ['pd_leader_kill', 'pd1', 'pd-member-dead/pd1', ['start-pd-member pd1']],
    ['two_pds_killed', 'pd', 'pd-quorum-lost/pd', ['start-pd-member pd0', 'start-pd-member pd1']],
  ] as const)('%s is filed for %s, named %s and cured by %j', async (scenario, target, cause, steps) => {
    const { tickets } = await treat(scenario);
    const ticket = tickets[targetsOf(tickets).indexOf(target)];
    if (!ticket) throw new Error(`no ticket for ${target}, only for ${targetsOf(tickets).join(', ')}`);
    expect(causes(ticket.story, 'supported')).toEqual([cause]);
    expect(actsOf(ticket.story)).toEqual(steps);
  });

  it.each([
    ['network_partition', 'tikv3', 'link-loss/tikv3'],
    ['store_cannot_reach_pd_leader', 'tikv2', 'link-loss/tikv2'],
    ['bandwidth_cap', 'tikv0', 'link-slow/tikv0'],
    ['cpu_throttle', 'tikv3', 'cpu-starved/tikv3'],
    ['grpc_pause', null, 'grpc-paused/tikv0'],
    // Small as it is, it has left by the time that it is looked into, so it is too late.
    ['store_offline_by_mistake', 'tikv1', 'store-offline/tikv1'],
  ] as const)('%s is filed for %s and named %s', async (scenario, target, cause) => {
    const { tickets } = await treat(scenario);
    const ticket = tickets[targetsOf(tickets).indexOf(target)];
    if (!ticket) throw new Error(`no ticket for ${target}, only for ${targetsOf(tickets).join(', ')}`);
    expect(causes(ticket.story, 'supported')).toEqual([cause]);
    expect(ticket.story.last.nextStep).toMatchObject({
      kind: 'escalate',
      why: expect.stringMatching(new RegExp(`^${cause}: .*The catalogue has no cure for it`)),
    });
  });
});

/** Any moment of any recording, as if a ticket were opened just then. */
describe.each(SCENARIOS)('%s, whenever it is looked at', (scenario) => {
  let opened: readonly Diagnosis[];
  beforeAll(async () => {
    opened = await anyTime(scenario);
  }, 60_000);

  it('is never given a wrong cause while it lasts', () => {
    const { healedAtS } = readRecording(scenario);
    const during = opened.filter(({ filed }) => filed.s >= 0 && filed.s <= healedAtS - 3);
    const wrong = during.filter(({ verdict }) => verdict === 'wrong');
    expect(wrong.map(({ filed, named }) => `${filed.by} +${filed.s}: ${named.join(', ')}`)).toEqual([]);
  });

  it('leads to no act but its cure', () => {
    const acts = opened.flatMap(({ story }) => actsOf(story));
    expect([...new Set(acts)].sort()).toEqual(CURES[scenario] ?? []);
  });

  it('is never cut off as no progress while only time can tell', () => {
    expect(Math.max(0, ...opened.map(({ story }) => story.mostIdle))).toBeLessThan(GIVE_UP_AFTER);
  });
});

describe('a PD leader that has just changed', () => {
  it.each(['pd_leader_kill', 'two_pds_killed'] as const)(
    '%s: files nothing about the stores that it shows as Disconnected',
    (scenario) => {
      const { moments } = readRecording(scenario);
      const states = moments.flatMap(({ picture }) =>
        picture.vitals.stores.flatMap(({ pd }) => (pd.known && pd.value ? [pd.value.state] : [])),
      );
      expect(states).toContain('Disconnected');
      const targets = filedIn(moments).flatMap(({ violations }) => violations.map(({ target }) => target));
      expect(targets.filter((target) => target?.startsWith('tikv'))).toEqual([]);
    },
  );
});
