import { describe, expect, it } from '@jest/globals';
import type { Digest } from '../../../src/domain/digest.js';
import { MedicError } from '../../../src/domain/errors.js';
import type { Evidence } from '../../../src/domain/evidence.js';
import { type EvidenceId, evidenceId, instant, ticketId } from '../../../src/domain/ids.js';
import type { Call } from '../../../src/domain/query.js';
import type { Violation } from '../../../src/domain/violation.js';
import { createRulesReasoner, type RuleSet } from '../../../src/reasoner/rules.js';
import type { Assessment, DiagnosisRule, Suspect } from '../../../subjects/protocol.js';
import { firstAttempt } from '../../support/first-attempt.js';

/** A subject of two lamps, to show that the engine knows no TiKV. */
interface Lamps {
  readonly lit: 'all' | 'some' | 'cannot see';
}

const NOW = Date.parse('2026-11-30T14:00:00.000Z');
const PICTURE = evidenceId(1);
const look = (command: string): Call => ({ kind: 'shell', host: 'hall', command });
const dark: Violation = {
  invariant: 'lit',
  target: 'lamp-1',
  severity: 'high',
  message: 'lamp-1 is dark',
  since: instant(NOW),
  fingerprint: 'lamps:lit:lamp-1',
};

type Says = Partial<Assessment> & Pick<Assessment, 'status'>;

function suspect(name: string, says: Says, more: Partial<Suspect<Lamps>> = {}): Suspect<Lamps> {
  return {
    cause: { class: name, target: 'lamp-1' },
    claim: `lamp-1: ${name}`,
    looks: [look('ask'), look(`ask ${name}`)],
    assess: () => ({
      confidence: 0.9,
      for: [evidenceId(2), PICTURE],
      against: [],
      because: `${name} says so`,
      ...says,
    }),
    ...more,
  };
}

const CURE = {
  title: 'change the bulb',
  wouldHaveRefuted: 'a bulb that glows',
  effect: 'light',
  risk: 'none',
  steps: [{ kind: 'action', action: 'change-bulb', target: 'lamp-1' }],
} as const;
const { wouldHaveRefuted, ...PLAN } = CURE;
const supported = { status: 'supported' } as const;
const refuted = { status: 'refuted', confidence: 0.02, for: [], against: [evidenceId(2)] } as const;

function engine(...suspects: readonly Suspect<Lamps>[]) {
  const rule: DiagnosisRule<Lamps> = {
    name: 'dark',
    matches: (violations) => violations[0]?.target ?? null,
    suspects: () => suspects,
  };
  const ruleSet: RuleSet<Lamps> = {
    rules: [rule],
    invariants: [
      {
        name: 'lit',
        title: 'all lamps are lit',
        use: 'files',
        check: ({ lit }) => ({ invariant: 'lit', known: lit !== 'cannot see', broken: lit === 'some' ? [dark] : [] }),
      },
    ],
    version: 'lamps-1',
  };
  return createRulesReasoner(ruleSet);
}

const answered = (index: number, call: Call, changes: Partial<Evidence> = {}): Evidence => ({
  id: evidenceId(index),
  at: instant(NOW),
  host: 'hall',
  call,
  exit: 0,
  durationMs: 1,
  line: '',
  head: '',
  tail: '',
  bytes: 0,
  sha256: '',
  redactions: 0,
  tainted: false,
  ...changes,
});

const ALL_ASKED = [answered(2, look('ask')), answered(3, look('ask burnt')), answered(4, look('ask unplugged'))];

function digest(changes: Partial<Digest> = {}): Digest {
  return {
    ticket: ticketId('lamps', 1),
    subject: 'lamps',
    environment: 'lab',
    turn: 1,
    agent: 'sitter',
    transcript: null,
    at: instant(NOW + 1_000),
    violations: [dark],
    cleared: [],
    picture: { evidence: PICTURE, lines: ['1 of 2 lamps lit'] },
    expected: [],
    others: [],
    board: [],
    evidence: ALL_ASKED,
    proposals: [],
    refusals: [],
    hints: [],
    left: { turns: 20, looks: 20, acts: 2, tokens: 0, usd: 0, wallMs: 60_000 },
    ...changes,
  };
}

function think(reasoner: ReturnType<typeof engine>, given: Digest, picture: Lamps = { lit: 'some' }) {
  const body = async (id: EvidenceId) => {
    if (id === PICTURE) return JSON.stringify(picture);
    if (given.evidence.some((one) => one.id === id)) return 'text';
    throw new MedicError('MEDIC_EVIDENCE_MISSING', `no ${id}`);
  };
  return reasoner.reason(given, { body, attempt: firstAttempt() });
}

const next = async (reasoner: ReturnType<typeof engine>, given: Digest, picture?: Lamps) =>
  (await think(reasoner, given, picture)).nextStep;

describe('the rules reasoner looks before it says anything', () => {
  const two = engine(suspect('burnt', supported, { cure: CURE }), suspect('unplugged', refuted));

  it('asks every look of every suspect, each once', async () => {
    const step = await next(two, digest({ evidence: [] }));
    expect(step).toEqual({
      kind: 'look',
      why: 'to tell apart: lamp-1: burnt | lamp-1: unplugged',
      calls: [look('ask'), look('ask burnt'), look('ask unplugged')],
    });
  });

  it('asks only for what is missing', async () => {
    expect(await next(two, digest({ evidence: ALL_ASKED.slice(0, 2) }))).toMatchObject({
      calls: [look('ask unplugged')],
    });
  });

  it('asks again for an answer that is older than half a minute', async () => {
    const at = instant(NOW + 31_000);
    const evidence = [{ ...ALL_ASKED[0]!, at }, ALL_ASKED[1]!, { ...ALL_ASKED[2]!, at }];
    expect(await next(two, digest({ at, evidence }))).toMatchObject({ calls: [look('ask burnt')] });
  });

  it('asks a host twice before it takes silence for its answer', async () => {
    const silence = answered(2, look('ask'), { exit: null, failure: 'no answer' });
    const evidence = [silence, ...ALL_ASKED.slice(1)];
    const seen = suspect('burnt', { ...supported, for: [evidenceId(3)] }, { cure: CURE });
    const two = engine(seen, suspect('unplugged', refuted));
    expect(await next(two, digest({ evidence }))).toMatchObject({ calls: [look('ask')] });
    expect(await next(two, digest({ evidence: [...evidence, { ...silence, id: evidenceId(9) }] }))).toMatchObject({
      kind: 'propose',
    });
  });

  it('asks at most eight things at once', async () => {
    const many = Array.from({ length: 12 }, (_, index) => suspect(`s${index}`, refuted));
    expect(await next(engine(...many), digest({ evidence: [] }))).toMatchObject({ calls: { length: 8 } });
  });

  it('puts every suspect on the board in every turn, citing only evidence that exists', async () => {
    const liar = suspect('burnt', { status: 'open', for: [evidenceId(2), evidenceId(77)] });
    const { hypotheses } = await think(engine(liar), digest({ evidence: ALL_ASKED.slice(0, 1) }));
    expect(hypotheses).toEqual([
      expect.objectContaining({ cause: { class: 'burnt', target: 'lamp-1' }, status: 'open', for: ['e2'] }),
    ]);
  });
});

describe('the rules reasoner decides', () => {
  it('to propose the cure of the one that stands', async () => {
    const step = await next(
      engine(suspect('unplugged', refuted), suspect('burnt', supported, { cure: CURE })),
      digest(),
    );
    expect(step).toEqual({
      kind: 'propose',
      proposal: {
        ...PLAN,
        cause: { class: 'burnt', target: 'lamp-1' },
        evidence: ['e2', 'e1'],
        test: { evidence: 'e2', wouldHaveRefuted },
        alternative: { cause: { class: 'unplugged', target: 'lamp-1' }, why: 'refuted, unplugged says so' },
      },
    });
  });

  it('to hand over a cause that nothing could have refuted, or beside which nothing was weighed', async () => {
    const stands = suspect('burnt', supported, { cure: CURE });
    expect(await next(engine(stands), digest())).toMatchObject({
      kind: 'escalate',
      why: 'burnt/lamp-1: burnt says so, but nothing else was weighed against it',
    });
    const onPicture = suspect('burnt', { ...supported, for: [PICTURE] }, { cure: CURE });
    expect(await next(engine(onPicture, suspect('unplugged', refuted)), digest())).toMatchObject({
      kind: 'escalate',
      why: expect.stringContaining('burnt says so, but no look that could have refuted it was answered'),
    });
  });

  it('to name the likeliest of the others as the alternative', async () => {
    const weak = suspect('loose', { status: 'open', confidence: 0.4 });
    const evidence = [...ALL_ASKED, answered(5, look('ask loose'))];
    const step = await next(
      engine(suspect('burnt', supported, { cure: CURE }), suspect('unplugged', refuted), weak),
      digest({ evidence }),
    );
    expect(step).toMatchObject({
      proposal: { alternative: { cause: { class: 'loose' }, why: 'open, loose says so' } },
    });
  });

  it('to hand over what it cannot tell apart', async () => {
    const rival = suspect('unplugged', { status: 'supported', confidence: 0.8 }, { cure: CURE });
    expect(await next(engine(suspect('burnt', supported, { cure: CURE }), rival), digest())).toMatchObject({
      kind: 'escalate',
      why: expect.stringContaining('burnt/lamp-1 and unplugged/lamp-1 cannot be told apart'),
    });
    const weak = suspect('unplugged', { status: 'supported', confidence: 0.5 });
    expect(await next(engine(suspect('burnt', supported, { cure: CURE }), weak), digest())).toMatchObject({
      kind: 'propose',
    });
  });

  it('to hand over naming each cause that only more access could decide, and what would', async () => {
    const undecided = { status: 'open', confidence: 0.4, decidedBy: 'a ladder' } as const;
    const both = engine(suspect('burnt', undecided), suspect('unplugged', { ...undecided, decidedBy: 'a key' }));
    expect(await next(both, digest())).toMatchObject({
      kind: 'escalate',
      why: expect.stringMatching(
        /^cannot tell between burnt\/lamp-1 and unplugged\/lamp-1\. What would decide: a ladder; a key\. Not decided: /,
      ),
    });
    expect(await next(engine(suspect('burnt', undecided), suspect('unplugged', refuted)), digest())).toMatchObject({
      why: expect.stringMatching(/^burnt\/lamp-1 is possible, not shown\. What would decide: a ladder\. Ruled out: /),
    });
  });

  it('to hand over with what was ruled out when nothing stands', async () => {
    const step = await next(engine(suspect('burnt', refuted), suspect('unplugged', { status: 'open' })), digest());
    expect(step).toEqual({
      kind: 'escalate',
      why: 'nothing explains what is wrong with lamp-1. Ruled out: burnt/lamp-1 (burnt says so, e2). Not decided: unplugged/lamp-1 (unplugged says so, e2, e1)',
    });
  });

  it('to hand over a cause without a cure', async () => {
    expect(await next(engine(suspect('burnt', supported)), digest())).toMatchObject({
      kind: 'escalate',
      why: expect.stringMatching(/^burnt\/lamp-1: burnt says so\. The catalogue has no cure for it/),
    });
  });

  it('to end a ticket for what is as it should be, without an act', async () => {
    const off = suspect('burnt', supported, {
      cure: CURE,
      ending: { conclusion: 'expected', expectation: 'planned-stop', why: 'somebody switched it off' },
    });
    const seen = { kind: 'planned-stop', target: 'lamp-1', reason: 'the switch is off' } as const;
    expect(await next(engine(off), digest({ expected: [seen] }))).toEqual({
      kind: 'conclude',
      conclusion: 'expected',
      expectation: 'planned-stop',
      why: 'somebody switched it off (burnt says so)',
      evidence: ['e2', 'e1'],
    });
  });

  it('to look again, and to hand over in the end, when the picture does not show what is expected', async () => {
    const off = suspect('burnt', supported, {
      ending: { conclusion: 'expected', expectation: 'planned-stop', why: 'somebody switched it off' },
    });
    expect(await next(engine(off), digest())).toEqual({
      kind: 'look',
      why: 'burnt says so, which the picture does not show',
      calls: [look('ask'), look('ask burnt')],
    });
    const left = { ...digest().left, turns: 3 };
    expect(await next(engine(off), digest({ left }))).toMatchObject({ kind: 'escalate' });
    const seen = { kind: 'planned-stop', target: 'lamp-1', reason: 'the switch is off' } as const;
    const refusals = ['not expected', 'not expected', 'not expected, it is critical'];
    expect(await next(engine(off), digest({ expected: [seen], refusals }))).toMatchObject({
      kind: 'escalate',
      why: 'burnt/lamp-1: its end was not accepted: not expected, it is critical',
    });
  });

  it('to hand over when no rule matches', async () => {
    const step = await next(engine(), digest({ violations: [{ ...dark, target: null }] }));
    expect(step).toEqual({
      kind: 'escalate',
      why: 'no rule explains: lamp-1 is dark. The picture (e1): 1 of 2 lamps lit',
    });
  });
});

describe('the rules reasoner does not repeat itself', () => {
  const burnt = engine(suspect('burnt', supported, { cure: CURE }), suspect('unplugged', refuted));
  const past = (end: 'ran' | 'refused' | 'denied' | 'expired' | 'undone' | 'not-run' | null, number = 1) =>
    ({ number, title: '', cause: { class: 'burnt', target: 'lamp-1' }, ruling: null, end, note: 'because' }) as const;

  it.each(['ran', 'refused', 'denied', 'expired', 'undone'] as const)('after its proposal was %s', async (end) => {
    expect(await next(burnt, digest({ proposals: [past(end)] }))).toMatchObject({
      kind: 'escalate',
      why: expect.stringContaining('proposal #1 was '),
    });
  });

  it('but tries a plan again that could not be run, twice', async () => {
    const tries = [past('not-run', 1), past('not-run', 2)];
    expect(await next(burnt, digest({ proposals: tries }))).toMatchObject({ kind: 'propose' });
    expect(await next(burnt, digest({ proposals: [...tries, past('not-run', 3)] }))).toMatchObject({
      kind: 'escalate',
    });
  });

  it('when its proposals were not accepted three times', async () => {
    const refusals = ['cites no evidence', 'cites no evidence', 'cites no evidence'];
    expect(await next(burnt, digest({ refusals }))).toMatchObject({
      kind: 'escalate',
      why: expect.stringContaining('its cure was not accepted: cites no evidence'),
    });
  });

  it('although another cause was treated before', async () => {
    const other = { ...past('ran'), cause: { class: 'unplugged', target: 'lamp-1' } };
    expect(await next(burnt, digest({ proposals: [other] }))).toMatchObject({ kind: 'propose' });
  });
});

describe('the rules reasoner waits', () => {
  const early = suspect('burnt', { status: 'open', tooEarly: true, because: 'it flickers' });

  it('with the same looks while only time can tell', async () => {
    expect(await next(engine(early, suspect('unplugged', refuted)), digest())).toEqual({
      kind: 'look',
      why: 'too early to tell: it flickers',
      calls: [look('ask'), look('ask burnt')],
    });
  });

  it('but not into its last turns', async () => {
    const left = { ...digest().left, turns: 3 };
    expect(await next(engine(early), digest({ left }))).toMatchObject({ kind: 'escalate' });
  });

  it('and not when something else stands', async () => {
    const step = await next(engine(early, suspect('unplugged', supported, { cure: CURE })), digest());
    expect(step).toMatchObject({ kind: 'propose' });
  });
});

describe('the rules reasoner waits for a trouble to clear', () => {
  const burnt = engine(suspect('burnt', refuted));
  const waits = { kind: 'look', why: 'nothing is violated in the fresh picture: does it stay so?' };

  it('while the ticket is still about it and the fresh picture no longer shows it', async () => {
    expect(await next(burnt, digest(), { lit: 'all' })).toMatchObject(waits);
    expect(await next(burnt, digest(), { lit: 'cannot see' })).toMatchObject(waits);
    expect(await next(burnt, digest(), { lit: 'some' })).toMatchObject({ kind: 'escalate' });
  });

  it('but not after an act, not into its last turns, and not when something explains it', async () => {
    const cause = { class: 'burnt', target: 'lamp-1' };
    const ran = { number: 1, title: '', cause, ruling: null, end: 'ran', note: '' } as const;
    expect(await next(burnt, digest({ proposals: [ran] }), { lit: 'all' })).toMatchObject({ kind: 'escalate' });
    const left = { ...digest().left, turns: 3 };
    expect(await next(burnt, digest({ left }), { lit: 'all' })).toMatchObject({ kind: 'escalate' });
    expect(await next(engine(suspect('burnt', supported)), digest(), { lit: 'all' })).toMatchObject({
      kind: 'escalate',
    });
  });
});

describe('the rules reasoner calls a trouble transient', () => {
  const burnt = engine(suspect('burnt', refuted));
  const calm = digest({ violations: [], cleared: [{ violation: dark, at: instant(NOW) }] });

  it('when everything holds in the fresh picture', async () => {
    expect(await next(burnt, calm, { lit: 'all' })).toEqual({
      kind: 'conclude',
      conclusion: 'transient',
      why: 'everything holds in the fresh picture (1 of 2 lamps lit) and nothing was done; gone: lamp-1 is dark',
      evidence: ['e1'],
    });
  });

  it.each(['cannot see', 'some'] as const)(
    'never on a picture that shows %s: it looks again, then hands over',
    async (lit) => {
      expect(await next(burnt, calm, { lit })).toEqual({
        kind: 'look',
        why: 'nothing is violated in the picture, but not everything could be judged',
        calls: [look('ask'), look('ask burnt')],
      });
      expect(await next(burnt, { ...calm, left: { ...calm.left, turns: 3 } }, { lit })).toMatchObject({
        kind: 'escalate',
      });
    },
  );

  it('never after an act: the proof decides then', async () => {
    const cause = { class: 'burnt', target: 'lamp-1' };
    const ran = { number: 1, title: '', cause, ruling: null, end: 'ran', note: '' } as const;
    expect(await next(burnt, { ...calm, proposals: [ran] }, { lit: 'all' })).not.toMatchObject({ kind: 'conclude' });
  });
});

describe('a thought of the rules', () => {
  it('costs nothing, names no model, and carries the hash of the rule set', async () => {
    const one = await think(engine(suspect('burnt', supported)), digest());
    expect(one).toMatchObject({
      reasoner: 'rules',
      model: null,
      requestId: null,
      usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
      promptSha: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await think(engine(suspect('burnt', supported)), digest())).toEqual(one);
  });
});
