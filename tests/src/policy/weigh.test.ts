import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer, Approval } from '../../../src/domain/approval.js';
import { canBeMet, tellNeed } from '../../../src/domain/approval.js';
import { instant, proposalId } from '../../../src/domain/ids.js';
import type { Inverse } from '../../../src/domain/proposal.js';
import { type Authority, type Matter, NOBODY, needOf } from '../../../src/policy/authority.js';
import { lowest } from '../../../src/policy/autonomy.js';
import { AUTONOMY } from '../../../src/policy/policy-file.js';
import { signed } from '../../../src/policy/signature.js';
import { isEnough, type Scales, standing, weigh } from '../../../src/policy/weigh.js';
import { authorityOf, type Keyed, keyed } from './people.js';

const NOW = Date.parse('2026-01-02T03:00:00.000Z');
const ANA = keyed('ana', 'oncall');
const EVA = keyed('eva', 'lead');
const BEN = keyed('ben', 'oncall', 'lead');
const OLE = keyed('ole', 'other');
const TEAM = authorityOf([ANA, EVA, BEN, OLE]);

const step = (kind: Inverse['kind'], action: string | null = 'start-store') => ({
  action,
  inverse: { kind, why: '', describe: '', call: { kind: 'shell', host: 'h', command: 'c' } } as Inverse,
});
const matter = (part: Partial<Matter> = {}): Matter => ({
  subject: 'tikv',
  environment: 'prod',
  autonomy: 'ask',
  ruling: 'needs-approval',
  steps: [step('restore')],
  ...part,
});
const scales = (part: Partial<Matter> = {}, authority: Authority = TEAM): Scales => ({
  authority,
  matter: matter(part),
  run: 'run-1',
  proposal: 'p',
  basisHash: 'b',
  now: instant(NOW),
});

const yes = (by: string, part: Partial<Answer> = {}): Approval => ({
  proposal: proposalId('p'),
  answer: 'approve',
  by,
  note: 'go',
  basisHash: 'b',
  expiresAt: instant(NOW + 60_000),
  ...part,
});
const by = ({ person, key }: Keyed, part: Partial<Answer> = {}): Approval =>
  signed({ run: 'run-1', answer: yes(person.name, part), key });
const codeOf = (weight: ReturnType<typeof weigh>) => (weight.ok ? 'counts' : weight.code);

describe('an answer', () => {
  it.each<[string, Approval, Scales, string]>([
    ['signed by somebody whose role allows it', by(ANA), scales(), 'counts'],
    ['unsigned in the lab', yes('ana'), scales({ environment: 'lab' }), 'counts'],
    ['unsigned elsewhere', yes('ana'), scales(), 'MEDIC_DECIDE_UNSIGNED'],
    [
      'unsigned elsewhere, where medic.yaml says that it is enough',
      yes('ana'),
      scales({}, { ...TEAM, anonymous: { approve: ['start-store'], subjects: ['all'] } }),
      'counts',
    ],
    [
      'unsigned in the lab, where medic.yaml says that it is not',
      yes('ana'),
      scales({ environment: 'lab' }, { ...TEAM, anonymous: { approve: [], subjects: ['all'] } }),
      'MEDIC_DECIDE_UNSIGNED',
    ],
    [
      'unsigned in the lab, to what cannot be taken back',
      yes('ana'),
      scales({ environment: 'lab', steps: [step('none'), step('irreversible')] }),
      'MEDIC_DECIDE_UNSIGNED',
    ],
    ['of somebody unknown', by(keyed('zoe', 'lead')), scales(), 'MEDIC_DECIDE_UNKNOWN_PERSON'],
    [
      'of somebody unknown, even in the lab',
      by(keyed('zoe')),
      scales({ environment: 'lab' }),
      'MEDIC_DECIDE_UNKNOWN_PERSON',
    ],
    ["with another one's key", by({ ...ANA, key: EVA.key }), scales(), 'MEDIC_DECIDE_FORGED'],
    ['with no signature at all', yes('ana', { signature: '' }), scales(), 'MEDIC_DECIDE_FORGED'],
    ['signed for another run', by(ANA), { ...scales(), run: 'run-2' }, 'MEDIC_DECIDE_FORGED'],
    ['to another proposal', by(ANA, { proposal: proposalId('q') }), scales(), 'MEDIC_DECIDE_STALE'],
    ['on another basis', by(ANA, { basisHash: 'c' }), scales(), 'MEDIC_DECIDE_STALE'],
    ['of a role for other subjects', by(OLE), scales(), 'MEDIC_DECIDE_NOT_ALLOWED'],
    ['of a role for other steps', by(ANA), scales({ steps: [step('irreversible')] }), 'MEDIC_DECIDE_NOT_ALLOWED'],
    ['whose time is over', by(ANA, { expiresAt: instant(NOW) }), scales(), 'MEDIC_DECIDE_EXPIRED'],
    ['without a time', by(ANA, { expiresAt: undefined }), scales(), 'MEDIC_DECIDE_EXPIRED'],
    ['for longer than a day', by(ANA, { expiresAt: instant(NOW + 25 * 3_600_000) }), scales(), 'MEDIC_DECIDE_EXPIRED'],
    ['to a subject that is only observed', by(EVA), scales({ autonomy: 'observe' }), 'MEDIC_POLICY_OBSERVE'],
    ['that says no, from anybody', yes('anybody', { answer: 'deny' }), scales({ autonomy: 'observe' }), 'counts'],
    [
      'that says no in the name of another',
      by({ ...ANA, key: EVA.key }, { answer: 'deny' }),
      scales(),
      'MEDIC_DECIDE_FORGED',
    ],
  ])('%s', (_, answer, on, code) => {
    expect(codeOf(weigh(on, answer))).toBe(code);
  });

  it('that does not count says why in words that name what was asked', () => {
    expect(weigh(scales({ steps: [step('restore'), step('irreversible', null)] }), yes('ana'))).toEqual({
      ok: false,
      code: 'MEDIC_DECIDE_UNSIGNED',
      reason:
        'in environment prod an unsigned answer is not enough for start-store, a command of its own on tikv: step 2 cannot be taken back, so two people have to approve',
    });
    expect(weigh(scales(), by(OLE))).toMatchObject({ reason: 'no role of ole allows start-store on tikv' });
  });
});

describe('approvals', () => {
  const final = scales({ steps: [step('irreversible')] });
  const doubtful = scales({ ruling: 'unproven' });

  it('of two people are needed for what cannot be taken back or not be proven, and one person counts once', () => {
    for (const on of [final, doubtful]) {
      const twice = standing(on, [by(EVA), by(EVA, { note: 'again' })]);
      expect([twice.length, twice[0]?.note, isEnough(on, twice)]).toEqual([1, 'again', false]);
      const both = standing(on, [by(EVA), by(BEN)]);
      expect([both.length, isEnough(on, both)]).toEqual([2, true]);
      expect(standing(on, [by(EVA), yes('ben'), by(ANA), by(OLE)])).toHaveLength(1);
    }
  });

  it('do not override what is doubtful and cannot be taken back, whoever gives them', () => {
    const both = { ruling: 'unproven', steps: [step('irreversible')] } as const;
    expect(needOf(TEAM, matter(both))).toEqual({ people: 2, unsigned: false, who: [] });
    expect(standing(scales(both), [by(EVA), by(BEN)])).toEqual([]);
  });

  it('end with their time and with the key of their person', () => {
    const given = [by(EVA, { expiresAt: instant(NOW + 1_000) }), by(BEN)];
    expect(standing({ ...final, now: instant(NOW + 1_000) }, given).map((a) => a.by)).toEqual(['ben']);
    const without = authorityOf([ANA, BEN]);
    expect(standing({ ...final, authority: without }, given).map((a) => a.by)).toEqual(['ben']);
  });

  it('are never enough by one voice where two are needed, whatever it says and however often', () => {
    const one = fc.array(
      fc.oneof(
        fc.constant(by(EVA)),
        fc.string().map((note) => by(EVA, { note })),
        fc.string().map((name) => yes(name)),
        fc.string().map((name) => ({ ...by(EVA), by: name })),
        fc.constant(by({ person: BEN.person, key: EVA.key })),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(one, fc.constantFrom(final, doubtful), (given, on) => {
        expect(isEnough(on, standing(on, given))).toBe(false);
      }),
    );
  });
});

describe('who has to approve', () => {
  it('is told in words, and whether it can be at all', () => {
    const told = (part: Partial<Matter>, authority = TEAM) => {
      const need = needOf(authority, matter(part));
      return [tellNeed(need), canBeMet(need)];
    };
    expect(told({})).toEqual(['one person of ana, eva, ben', true]);
    expect(told({ steps: [step('irreversible')] })).toEqual(['two people of eva, ben', true]);
    expect(told({ environment: 'lab' })).toEqual(['anybody, unsigned too', true]);
    expect(told({}, NOBODY)).toEqual(['one person, and medic.yaml names nobody who may', false]);
    expect(told({ ruling: 'unproven' }, authorityOf([EVA]))).toEqual([
      'two people, and medic.yaml names only eva',
      false,
    ]);
    expect(told({ autonomy: 'observe' })).toEqual(['one person, and medic.yaml names nobody who may', false]);
  });
});

describe('the autonomy of a subject', () => {
  it('is lowered by medic.yaml and never raised', () => {
    const grid = AUTONOMY.map((granted) => AUTONOMY.map((wished) => lowest(granted, wished)));
    expect(grid).toEqual([
      ['observe', 'observe', 'observe'],
      ['observe', 'ask', 'ask'],
      ['observe', 'ask', 'playbooks'],
    ]);
    expect(lowest('playbooks', undefined)).toBe('playbooks');
  });
});
