import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { basisChanges, basisText, type Step } from '../../../src/domain/proposal.js';
import { type JudgeInput, judgeLook, judgeProposal, judgeStep } from '../../../src/policy/judge.js';
import { cluster, group, member, NOW } from './cluster.js';
import { RULES } from './rules.js';

const DEAD = member('tikv-2', 'no', 'exited (137)');

const step = (command: string, over: Partial<Step> = {}): Step => ({
  describe: command,
  action: null,
  target: 'tikv-2',
  call: { kind: 'shell', host: 'lab', command },
  inverse: { kind: 'none', why: 'restorative' },
  timeoutMs: 30_000,
  ...over,
});

const YES = { verdict: 'yes', reason: 'it died' } as const;
const START = step('labctl start tikv-2', { action: 'start-store' });

const input = (over: Partial<JudgeInput> = {}): JudgeInput => ({
  step: START,
  phase: 'proposing',
  cause: { class: 'process-dead', target: 'tikv-2' },
  scope: { agent: 'on-call-triage', actions: ['start-store'] },
  autonomy: 'playbooks',
  policy: {
    version: 1,
    environment: 'lab',
    autonomy: 'playbooks',
    preApproved: [
      { action: 'start-store', agent: 'on-call-triage', max: { times: 2, per: 'target', withinMs: 3_600_000 } },
    ],
  },
  rules: RULES,
  quorum: cluster([DEAD]),
  precondition: { verdict: 'yes', reason: 'tikv-2 exited with 137, nobody asked for it' },
  recentActs: 0,
  now: NOW,
  maxPictureAgeMs: 5_000,
  targetFacts: [{ fact: 'tikv-2 id', value: '4', compare: 'equal' }],
  ...over,
});

const ruling = (over: Partial<JudgeInput> = {}) => judgeStep(input(over)).ruling;
const stop = (node: string, over: Partial<JudgeInput> = {}) =>
  ruling({
    step: step(`labctl stop ${node}`, { target: node }),
    cause: { class: 'x', target: node },
    precondition: null,
    ...over,
  });

describe('ruling on a step', () => {
  it('pre-approves what the policy names for this agent, within its rate', () => {
    expect(ruling()).toEqual({
      kind: 'pre-approved',
      reason: 'policy lab pre-approves start-store (number 1 of 2 per target in 1 h)',
    });
    expect(ruling({ recentActs: 2 })).toEqual({
      kind: 'needs-approval',
      reason: 'start-store ran 2 times on tikv-2 already; policy allows 2 per target in 1 h',
    });
  });

  it('asks a person for everything else that nothing speaks against', () => {
    const { policy } = input();
    expect(ruling({ policy: { ...policy, preApproved: [] } }).reason).toBe(
      'policy lab does not pre-approve start-store for on-call-triage',
    );
    expect(ruling({ scope: { agent: 'other', actions: [] } })).toEqual({
      kind: 'needs-approval',
      code: 'MEDIC_POLICY_SCOPE',
      reason: 'start-store is not in the scope of other',
    });
    expect(ruling({ autonomy: 'ask' })).toEqual({
      kind: 'needs-approval',
      reason: 'this subject runs only what a person approved',
    });
    expect(ruling({ step: { ...START, action: null } }).kind).toBe('needs-approval');
  });

  it('shows the proposals of a subject that is only observed, and forbids to run them whoever approved', () => {
    for (const phase of ['remediating', 'undoing'] as const) {
      expect(ruling({ autonomy: 'observe', phase })).toMatchObject({ kind: 'forbidden', code: 'MEDIC_POLICY_OBSERVE' });
    }
    expect(ruling({ autonomy: 'observe' })).toMatchObject({ kind: 'needs-approval', code: 'MEDIC_POLICY_OBSERVE' });
    expect(stop('tikv-1', { autonomy: 'observe', quorum: cluster([], { gap: 'PD unreadable' }) })).toMatchObject({
      kind: 'unproven',
      code: 'MEDIC_POLICY_OBSERVE',
    });
  });

  it('lets only reads run outside of the acting phases', () => {
    for (const phase of ['filed', 'investigating', 'verifying', 'escalated', 'resolved'] as const) {
      expect(ruling({ phase })).toEqual({
        kind: 'forbidden',
        code: 'MEDIC_POLICY_PHASE',
        reason: `while ${phase} only reads run`,
      });
      expect(ruling({ phase, step: step('labctl ps') })).toEqual({ kind: 'read', reason: 'it only reads' });
    }
  });

  it('does not start what was stopped by request, and does not guess', () => {
    expect(ruling({ precondition: { verdict: 'no', reason: 'tikv-2 was stopped by request' } })).toEqual({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_PRECONDITION',
      reason: 'tikv-2 was stopped by request',
    });
    expect(ruling({ precondition: { verdict: 'unknown', reason: 'no witness of tikv-2' } })).toEqual({
      kind: 'unproven',
      code: 'MEDIC_POLICY_PRECONDITION',
      reason: 'no witness of tikv-2',
    });
    expect(ruling({ precondition: null, step: { ...START, action: null } })).toMatchObject({
      kind: 'unproven',
      code: 'MEDIC_POLICY_PRECONDITION',
    });
  });

  it('refuses to stop a store while another is impaired, and names the counter-example', () => {
    expect(stop('tikv-1')).toEqual({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_QUORUM',
      reason: 'group region-14 needs 2 of {tikv-1, tikv-2, tikv-3}; tikv-2 is exited (137), so 1 would stay',
    });
    expect(stop('tikv-1', { quorum: cluster() }).kind).toBe('needs-approval');
  });

  it('starts a dead store while another one is impaired', () => {
    const two = cluster([DEAD, member('tikv-3', 'no', 'Disconnected (9 s)')]);
    expect(ruling({ quorum: two }).kind).toBe('pre-approved');
  });

  it('needs no picture for a restorative action, but then a person unless policy pre-approves just that', () => {
    const quorum = cluster([DEAD], { gap: 'PD unreadable: connect ECONNREFUSED' });
    expect(ruling({ quorum })).toEqual({
      kind: 'needs-approval',
      reason: 'policy pre-approves start-store only while the picture can be read: PD unreadable: connect ECONNREFUSED',
    });
    const { policy } = input();
    const preApproved = policy.preApproved.map((one) => ({ ...one, evenIfUnreadable: true }));
    expect(ruling({ quorum, policy: { ...policy, preApproved } }).kind).toBe('pre-approved');
  });

  it('calls a takeaway unproven while the picture cannot be relied on', () => {
    const quorum = cluster([], { gap: 'PD unreadable' });
    expect(stop('tikv-1', { quorum })).toEqual({
      kind: 'unproven',
      code: 'MEDIC_POLICY_UNPROVEN',
      reason: 'PD unreadable',
    });
    expect(stop('tikv-1', { quorum: cluster(), now: '2026-01-01T01:00:00.000Z' }).kind).toBe('unproven');
  });

  it("keeps to the cause's target", () => {
    expect(stop('tikv-1', { quorum: cluster(), cause: { class: 'x', target: 'tikv-3' } })).toEqual({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_SCOPE',
      reason: 'it takes away tikv-1, which does not lie within tikv-3',
    });
    expect(ruling({ step: step('labctl start tikv-4', { action: 'start-store', target: 'tikv-4' }) })).toEqual({
      kind: 'needs-approval',
      code: 'MEDIC_POLICY_SCOPE',
      reason: 'it touches tikv-4, which does not lie within tikv-2',
    });
  });

  it('takes a member by any name that the picture knows of it, and no other', () => {
    const known = cluster([{ ...member('tikv-1'), aka: ['store-9'] }]);
    const asked = { quorum: known, cause: { class: 'x', target: 'tikv-1' }, precondition: null } as const;
    expect(ruling({ ...asked, step: step('labctl start store-9'), precondition: YES }).reason).not.toContain(
      'lie within',
    );
    expect(ruling({ ...asked, step: step('labctl start store-8'), precondition: YES })).toMatchObject({
      kind: 'needs-approval',
      reason: 'it touches store-8, which does not lie within tikv-1',
    });
    const one = cluster([DEAD, { ...member('tikv-3'), aka: ['store-7'] }]);
    expect(
      ruling({ quorum: one, cause: { class: 'x', target: 'tikv-3' }, step: step('labctl stop store-7') }),
    ).toMatchObject({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_QUORUM',
    });
  });

  it('assumes of a command without a row that its target stops, and lets a person decide', () => {
    const rule = step('iptables -D OUTPUT 1', { target: 'tikv-3' });
    const cause = { class: 'link-loss', target: 'tikv-3' };
    expect(ruling({ step: rule, cause, quorum: cluster(), precondition: null })).toEqual({
      kind: 'needs-approval',
      reason: 'it is no action of the catalogue, so no policy row pre-approves it',
    });
    expect(ruling({ step: rule, cause, precondition: null })).toMatchObject({ kind: 'unproven' });
  });

  it('still forbids a known takeaway that is mixed with something unknown', () => {
    const mixed = step('labctl stop tikv-1; frobnicate', { target: 'tikv-1' });
    const cause = { class: 'x', target: 'tikv-1' };
    expect(ruling({ step: mixed, cause, precondition: null })).toMatchObject({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_QUORUM',
    });
  });

  it('refuses what cannot be parsed, is decided at run time, or touches Medic, before anything else', () => {
    expect(ruling({ step: step('labctl start "') }).code).toBe('MEDIC_POLICY_PARSE');
    expect(ruling({ step: step('$x start tikv-2') }).code).toBe('MEDIC_POLICY_DYNAMIC_COMMAND');
    expect(ruling({ step: step('labctl ps; rm /home/m/.medic/x') }).code).toBe('MEDIC_POLICY_SELF');
    expect(ruling({ step: step('reboot') }).code).toBe('MEDIC_POLICY_FORBIDDEN');
  });
});

describe('ruling on a proposal and on a look', () => {
  it('takes the worst of its steps and lists every command', () => {
    const whole = judgeProposal([input(), input({ step: step("sh -c 'frobnicate; labctl ps'") })]);
    expect(whole.ruling.kind).toBe('needs-approval');
    expect(whole.steps.map(({ commands }) => commands)).toEqual([
      ['labctl start tikv-2'],
      [`sh -c 'frobnicate; labctl ps'`, 'frobnicate', 'labctl ps'],
    ]);
    expect(whole.basis.map(({ fact }) => fact)).toContain('step 2: command');
  });

  it('lets a look run only if all of it reads', () => {
    expect(judgeLook(step('labctl ps | grep x').call, RULES)).toEqual({ kind: 'read', reason: 'it only reads' });
    expect(judgeLook(step('labctl ps; labctl stop tikv-1').call, RULES)).toEqual({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_PHASE',
      reason: 'it is no read: `labctl stop tikv-1`',
    });
  });
});

describe('the basis of a ruling', () => {
  it('holds target, liveness, impaired members, margin, precondition and the exact steps', () => {
    expect(judgeStep(input()).basis).toEqual([
      { fact: 'tikv-2 id', value: '4', compare: 'equal' },
      { fact: 'tikv-2 alive', value: 'no', compare: 'equal' },
      { fact: 'impaired elsewhere', value: 'none', compare: 'fewer' },
      { fact: 'gaps in the picture', value: 'none', compare: 'fewer' },
      { fact: 'tightest quorum margin', value: 0, compare: 'margin' },
      { fact: 'precondition', value: 'yes', compare: 'equal' },
      { fact: 'command', value: '{"command":"labctl start tikv-2","host":"lab","kind":"shell"}', compare: 'equal' },
      { fact: 'undo', value: '{"kind":"none"}', compare: 'equal' },
    ]);
    expect(judgeStep(input()).margin).toBe('tightest group region-14: 2 of 3 live, 2 needed');
  });

  it('is one text through ten minutes of a busy cluster', () => {
    const texts = new Set(
      Array.from({ length: 600 }, (_, second) => {
        const at = new Date(Date.parse(NOW) + second * 1_000).toISOString();
        const regions = Array.from({ length: 3 + (second % 7) }, (__, n) =>
          group(`region-${n + second}`, ['tikv-1', 'tikv-3', 'tikv-4']),
        );
        const quorum = cluster([{ ...DEAD, impaired: `silent for ${second} s` }], { observedAt: at, groups: regions });
        const precondition = { verdict: 'yes' as const, reason: `exited ${second} s ago` };
        return basisText(judgeStep(input({ now: at, quorum, precondition })).basis);
      }),
    );
    expect(texts.size).toBe(1);
  });

  it('stays the same when PD can be read again meanwhile, but not when it no longer can', () => {
    const readable = judgeStep(input()).basis;
    const unreadable = judgeStep(input({ quorum: cluster([DEAD], { gap: 'PD unreadable' }) })).basis;
    expect(basisChanges(unreadable, readable)).toEqual([]);
    expect(basisChanges(readable, unreadable)).toEqual([
      'gaps in the picture: none -> it cannot be relied on',
      'tightest quorum margin: 0 -> unknown',
    ]);
  });

  it('changes when a second member becomes impaired, and not when a group grows stronger', () => {
    const before = judgeStep(input()).basis;
    const worse = judgeStep(input({ quorum: cluster([DEAD, member('tikv-3', 'no', 'paused')]) })).basis;
    expect(basisChanges(before, worse)).toEqual([
      'impaired elsewhere: none -> tikv-3',
      'tightest quorum margin: 0 -> -1',
    ]);
    const stronger = judgeStep(input({ quorum: cluster([DEAD], { groups: [] }) })).basis;
    const strong = judgeStep(
      input({ quorum: cluster([DEAD], { groups: [group('region-9', ['tikv-1', 'tikv-3', 'tikv-4'])] }) }),
    ).basis;
    expect(basisChanges(before, strong)).toEqual([]);
    expect(basisText(strong)).toBe(basisText(before));
    expect(basisText(stronger)).toBe(basisText(before));
  });
});

describe('whatever the picture says', () => {
  const alive = fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const);
  const pictures = fc
    .record({ one: alive, three: alive, four: alive, gap: fc.constantFrom(null, 'PD unreadable') })
    .map(({ one, three, four, gap }) =>
      cluster([DEAD, member('tikv-1', one), member('tikv-3', three), member('tikv-4', four)], { gap }),
    );

  it('may start the dead store: by itself or with a person, never forbidden', () => {
    fc.assert(
      fc.property(pictures, (quorum) => {
        expect(['pre-approved', 'needs-approval']).toContain(ruling({ quorum }).kind);
      }),
    );
  });

  it('never runs a stop by itself while a store is down', () => {
    fc.assert(
      fc.property(pictures, fc.constantFrom('tikv-1', 'tikv-3', 'tikv-4'), (quorum, node) => {
        expect(['forbidden', 'unproven']).toContain(stop(node, { quorum }).kind);
      }),
    );
  });
});
