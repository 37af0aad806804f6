import { describe, expect, it } from '@jest/globals';
import { type Circumstances, weighConclusion } from '../../../src/domain/conclusion.js';
import type { Expectation } from '../../../src/domain/expectation.js';
import { evidenceId, ticketId } from '../../../src/domain/ids.js';
import type { NextStep } from '../../../src/domain/next-step.js';
import { fingerprint, type Severity, type Violation } from '../../../src/domain/violation.js';
import { look, picture } from './hypotheses.js';

type Conclude = Extract<NextStep, { kind: 'conclude' }>;

const violation = (invariant: string, target: string | null, severity: Severity = 'high'): Violation => ({
  invariant,
  target,
  severity,
  message: `${target ?? 'all'}: ${invariant}`,
  fingerprint: fingerprint('tikv', invariant, target),
  since: '2026-01-01T00:00:00.000Z',
});
const CALM: Circumstances = {
  ticket: ticketId('tikv', 7),
  target: 'tikv-2',
  evidence: [picture, look(2)],
  firstActAt: null,
  broken: [],
  unknown: [],
  expected: [],
  others: [],
};
const claim = (conclusion: Conclude['conclusion'], part: Partial<Conclude> = {}): Conclude => ({
  kind: 'conclude',
  conclusion,
  why: 'so it is',
  evidence: [evidenceId(1)],
  ...part,
});
const weigh = (step: Conclude, part: Partial<Circumstances> = {}) => {
  const weighed = weighConclusion(step, { ...CALM, ...part });
  return weighed.accepted ? `accepted: ${weighed.because}` : weighed.reason;
};
const DOWN = violation('store-reachable', 'tikv-2');
const STOPPED: Expectation = { kind: 'planned-stop', target: 'tikv-2', reason: 'tikv-2 exited 0, stopped by request' };
const planned = claim('expected', { expectation: 'planned-stop' });

describe('any conclusion', () => {
  it('cites evidence of the ticket, all of it real', () => {
    expect(weigh(claim('transient', { evidence: [] }))).toBe('a conclusion must cite evidence of this ticket');
    expect(weigh(claim('transient', { evidence: [evidenceId(9)] }))).toBe(
      'a conclusion must cite evidence of this ticket',
    );
    expect(weigh(claim('transient', { evidence: [evidenceId(1), evidenceId(9)] }))).toBe(
      'the conclusion cites evidence that does not exist: e9',
    );
  });

  it.each(['transient', 'expected', 'duplicate', 'monitoring-fault'] as const)(
    'of kind %s ends nothing after an act',
    (kind) => {
      expect(weigh(claim(kind), { firstActAt: '2026-01-01T00:00:00.000Z' })).toBe(
        'an act was started: only a proof can end this ticket',
      );
    },
  );
});

describe('what is called transient or a fault of the monitoring', () => {
  it.each(['transient', 'monitoring-fault'] as const)(
    '%s ends a ticket only on a whole and healthy picture',
    (kind) => {
      expect(weigh(claim(kind))).toBe('accepted: everything that files holds in the fresh picture');
      expect(weigh(claim(kind), { broken: [DOWN] })).toContain('tikv-2: store-reachable');
      expect(weigh(claim(kind), { unknown: ['pd-quorum'] })).toContain('pd-quorum could not be judged');
    },
  );

  it('is a person’s to confirm while the monitoring still shows it', () => {
    expect(weigh(claim('monitoring-fault'), { broken: [DOWN] })).toBe(
      'a monitoring fault: tikv-2: store-reachable: a person has to confirm it while it still shows; escalate',
    );
  });
});

describe('what is called expected', () => {
  it('is accepted when code recognised it and it explains all that is broken', () => {
    const symptom = violation('regions-no-pending-peer', null, 'medium');
    expect(weigh(planned, { broken: [DOWN, symptom], expected: [STOPPED] })).toBe(
      'accepted: planned-stop: tikv-2 exited 0, stopped by request',
    );
  });

  it.each<[string, Conclude, Partial<Circumstances>, string]>([
    [
      'says not what is expected',
      claim('expected'),
      { expected: [STOPPED] },
      '`expected` must say which expectation: planned-stop, cold-start or even-by-score',
    ],
    ['is not in the picture', planned, { broken: [DOWN] }, 'not expected: the picture shows no planned-stop of tikv-2'],
    [
      'is another one than the picture shows',
      claim('expected', { expectation: 'cold-start' }),
      { expected: [STOPPED] },
      'not expected: the picture shows no cold-start of tikv-2',
    ],
    [
      'concerns another member than the ticket',
      planned,
      { expected: [{ ...STOPPED, target: 'tikv-3' }] },
      'not expected: the picture shows no planned-stop of tikv-2',
    ],
    [
      'leaves something else unexplained',
      planned,
      { broken: [DOWN, violation('store-up', 'tikv-0')], expected: [STOPPED] },
      'planned-stop does not explain: tikv-0: store-up',
    ],
    [
      'has no target while something with a target is broken',
      claim('expected', { expectation: 'cold-start' }),
      { broken: [DOWN], expected: [{ kind: 'cold-start', target: null, reason: 'PD is young' }] },
      'cold-start does not explain: tikv-2: store-reachable',
    ],
    [
      'is critical',
      planned,
      { broken: [DOWN, violation('regions-have-leader', null, 'critical')], expected: [STOPPED] },
      'not expected, it is critical: all: regions-have-leader',
    ],
  ])('goes back when it %s', (_, step, part, words) => {
    expect(weigh(step, part)).toBe(words);
  });

  it('covers several members that were stopped together', () => {
    const both = [STOPPED, { ...STOPPED, target: 'tikv-3' }];
    expect(weigh(planned, { broken: [DOWN, violation('store-reachable', 'tikv-3')], expected: both })).toMatch(
      /^accepted/,
    );
  });
});

describe('what is called a duplicate', () => {
  const older = { ticket: ticketId('tikv', 5), target: 'tikv-2' };
  const duplicate = (of = older.ticket) => claim('duplicate', { of });

  it('is one of an older open ticket about the same target', () => {
    expect(weigh(duplicate(), { broken: [DOWN], others: [older] })).toBe(
      'accepted: tikv/5 is open and about tikv-2, too',
    );
  });

  it.each<[string, Conclude, Partial<Circumstances>, string]>([
    ['names none', claim('duplicate'), { others: [older] }, '`duplicate` must name the other ticket'],
    ['names a closed one', duplicate(), {}, 'not a duplicate: tikv/5 is no other open ticket of this subject'],
    [
      'names itself',
      duplicate(CALM.ticket),
      { others: [{ ticket: CALM.ticket, target: 'tikv-2' }] },
      'not a duplicate: tikv/7 is no other open ticket of this subject',
    ],
    [
      'names one about something else',
      duplicate(),
      { others: [{ ...older, target: 'tikv-0' }] },
      'not a duplicate: tikv/5 is about tikv-0, this one about tikv-2',
    ],
    [
      'has no target, so that it cannot be the same',
      duplicate(),
      { target: null, others: [{ ...older, target: null }] },
      'not a duplicate: tikv/5 is about no target, this one about none',
    ],
    [
      'names a younger one, which might name this one',
      duplicate(ticketId('tikv', 8)),
      { others: [{ ...older, ticket: ticketId('tikv', 8) }] },
      'not a duplicate: tikv/8 is the younger one',
    ],
  ])('goes back when it %s', (_, step, part, words) => {
    expect(weigh(step, part)).toBe(words);
  });
});
