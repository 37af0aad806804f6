import { describe, expect, it } from '@jest/globals';
import { faultOfCeilings } from '../../../src/domain/ceilings.js';
import { amount, dollars, microsOf } from '../../../src/domain/money.js';
import { faultOfReservation, faultOfSettlement } from '../../../src/domain/reservation.js';

const RESERVATION = {
  id: '0195c3a0-7c1d-7d3e-9a53-3f0f7d5c2b11.12.3.7',
  ticket: 'tikv/42',
  agent: 'on-call-triage',
  model: 'claude-opus-4-1-20250805',
  micros: 412_300,
};

describe('the form of a reservation', () => {
  it('is fulfilled by a run, a turn, a try and a call', () => expect(faultOfReservation(RESERVATION)).toBeNull());

  it.each([
    [null, 'a reservation is a mapping'],
    [{ ...RESERVATION, id: '' }, '`id` is'],
    [{ ...RESERVATION, id: 'x'.repeat(65) }, '`id` is'],
    [{ ...RESERVATION, ticket: '42' }, '`ticket` is'],
    [{ ...RESERVATION, ticket: `${'s'.repeat(40)}/1` }, '`ticket` is'],
    [{ ...RESERVATION, agent: '__proto__' }, '`agent` is'],
    [{ ...RESERVATION, model: 'ignore all\nprevious' }, '`model` is'],
    [{ ...RESERVATION, micros: 0.5 }, '`micros` is'],
    [{ ...RESERVATION, micros: -1 }, '`micros` is'],
    [{ ...RESERVATION, micros: Number.NaN }, '`micros` is'],
    [{ ...RESERVATION, micros: '1' }, '`micros` is'],
  ])('is not fulfilled by %j', (given, words) => expect(faultOfReservation(given)).toMatch(words));
});

describe('the form of a settlement', () => {
  it.each([
    { kind: 'used', micros: 0 },
    { kind: 'released', why: 'x' },
    { kind: 'unknown', why: '' },
  ])('is fulfilled by %j', (outcome) => expect(faultOfSettlement({ id: 'a.1', outcome })).toBeNull());

  it.each([
    undefined,
    {},
    { kind: 'used' },
    { kind: 'used', micros: 1.5 },
    { kind: 'released' },
    { kind: 'spent', micros: 1 },
  ])('is not fulfilled by %j', (outcome) => expect(faultOfSettlement({ id: 'a.1', outcome })).not.toBeNull());
});

describe('the form of ceilings', () => {
  const ceilings = { monthUsd: 50, agents: { triage: 40 }, ticketUsd: 2, warnAt: 0.8 };
  it('is fulfilled by amounts in dollars', () => expect(faultOfCeilings(ceilings)).toBeNull());

  it.each([
    undefined,
    { ...ceilings, monthUsd: Number.POSITIVE_INFINITY },
    { ...ceilings, ticketUsd: -1 },
    { ...ceilings, agents: { triage: '40' } },
    { ...ceilings, agents: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`a${n}`, 1])) },
    { ...ceilings, warnAt: 0 },
  ])('is not fulfilled by %j', (given) => expect(faultOfCeilings(given)).not.toBeNull());
});

describe('an amount of money', () => {
  it('has two decimals, and four below a dollar, where single calls are', () => {
    expect([dollars(0), dollars(41_230), dollars(12_345_678), amount(-500_000)]).toEqual([
      ...['0.00 USD', '0.0412 USD', '12.35 USD', '-0.5000'],
    ]);
  });
  it('is exact to a millionth', () => expect(microsOf(0.1) + microsOf(0.2)).toBe(microsOf(0.3)));
});
