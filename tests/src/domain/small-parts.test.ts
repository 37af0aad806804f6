import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical } from '../../../src/domain/canonical.js';
import { ERRORS, MedicError } from '../../../src/domain/errors.js';
import { parseTicketId, ticketId } from '../../../src/domain/ids.js';
import { limitsLeft, NOTHING_SPENT, turnLimit } from '../../../src/domain/limits.js';
import { type BasisFact, basisChanges, basisText, worst } from '../../../src/domain/proposal.js';
import { EMPTY_TRAIL, extend, MAX_TRAIL, type Trail } from '../../../src/domain/trail.js';

describe('canonical bytes', () => {
  it('do not depend on the order in which a value was built (property)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const shuffled = Object.fromEntries(Object.entries(value).reverse());
        expect(canonical(shuffled)).toBe(canonical(value));
        expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('leave out what is undefined, as JSON does', () => {
    expect(canonical({ b: 1, a: undefined, c: [undefined] })).toBe('{"b":1,"c":[null]}');
  });
});

describe('a basis', () => {
  const facts: BasisFact[] = [
    { fact: 'process', value: 'exited', compare: 'equal' },
    { fact: 'margin', value: 1, compare: 'margin' },
  ];

  it('stands when a margin has improved, and falls when it has shrunk or is gone', () => {
    const margin = (value: number): BasisFact[] => [facts[0]!, { fact: 'margin', value, compare: 'margin' }];
    expect(basisChanges(facts, margin(2))).toEqual([]);
    expect(basisChanges(facts, margin(0))).toEqual(['margin: 1 -> 0']);
    expect(basisChanges(facts, [facts[0]!])).toEqual(['margin: 1 -> unknown']);
    expect(basisText(margin(2))).toBe(basisText(facts));
  });

  it('stands when fewer things are amiss elsewhere, and falls when another one is', () => {
    const amiss = (value: string): BasisFact[] => [{ fact: 'impaired elsewhere', value, compare: 'fewer' }];
    expect(basisChanges(amiss('tikv-0, tikv-1'), amiss('tikv-1'))).toEqual([]);
    expect(basisChanges(amiss('tikv-0'), amiss('none'))).toEqual([]);
    expect(basisChanges(amiss('none'), amiss('tikv-3'))).toEqual(['impaired elsewhere: none -> tikv-3']);
    expect(basisChanges(amiss('tikv-0'), amiss('tikv-0, tikv-3'))).toHaveLength(1);
    expect(basisText(amiss('tikv-0'))).toBe(basisText(amiss('none')));
  });

  it('falls when a fact is another or a new one appears', () => {
    const now: BasisFact[] = [
      { ...facts[0]!, value: 'running' },
      facts[1]!,
      { fact: 'other', value: 'x', compare: 'equal' },
    ];
    expect(basisChanges(facts, now)).toEqual(['process: exited -> running', 'other: new, x']);
  });
});

it('takes the worst ruling for the whole', () => {
  const ruling = (kind: Parameters<typeof worst>[0][number]['kind']) => ({ kind, reason: kind });
  expect(worst([ruling('read'), ruling('forbidden'), ruling('unproven')]).kind).toBe('forbidden');
  expect(worst([]).kind).toBe('read');
});

describe('limits', () => {
  const limits = { turns: 2, looks: 4, acts: 1, tokens: 10, usd: 1, wallMs: 60_000 };

  it('forbid another turn in words, and never become negative', () => {
    expect(turnLimit(limits, NOTHING_SPENT)).toBeNull();
    expect(turnLimit(limits, { ...NOTHING_SPENT, turns: 2 })).toBe('the limit of 2 turns is reached');
    expect(turnLimit(limits, { ...NOTHING_SPENT, wallMs: 60_000 })).toBe('the time limit of 1 min is reached');
    expect(limitsLeft(limits, { ...NOTHING_SPENT, looks: 9 }).looks).toBe(0);
  });
});

describe('the trail', () => {
  it('numbers events without a gap and stays bounded', () => {
    let trail: Trail = EMPTY_TRAIL;
    for (let i = 0; i < MAX_TRAIL + 10; i += 1) trail = extend(trail, 'now', { type: 'turn', turn: i, run: 'r' }).trail;
    expect(trail.events).toHaveLength(MAX_TRAIL);
    expect(trail.events.map((e) => e.seq)).toEqual(Array.from({ length: MAX_TRAIL }, (_, i) => i + 11));
  });
});

describe('ids and errors', () => {
  it('reads a ticket id as people type it', () => {
    expect(parseTicketId(ticketId('rate-limiter', 42))).toEqual({ subject: 'rate-limiter', number: 42 });
    for (const wrong of ['tikv', 'tikv/0', 'tikv/', '/1', 'tikv/1/2', 'Tikv/1'])
      expect(parseTicketId(wrong)).toBeNull();
  });

  it('gives every error its next step', () => {
    for (const [code, { what, next }] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^MEDIC_[A-Z_]+$/);
      expect(what.endsWith('.')).toBe(true);
      expect(next.length).toBeGreaterThan(5);
    }
    expect(new MedicError('MEDIC_TICKET_UNKNOWN', 'x').next).toBe(ERRORS.MEDIC_TICKET_UNKNOWN.next);
  });
});
