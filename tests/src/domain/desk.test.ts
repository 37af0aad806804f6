import { describe, expect, it } from '@jest/globals';
import {
  closeTicket,
  emptyDesk,
  FILING_LIMIT_PER_HOUR,
  grantLease,
  isFlapping,
  type LeaseRequest,
  openTickets,
  pruneDesk,
  recurrenceOf,
  releaseLease,
  runsWithin,
} from '../../../src/domain/desk.js';
import { instant, ticketId } from '../../../src/domain/ids.js';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number) => instant(T0 + second * 1000);
const HOUR = 3_600_000;

const request = (part: Partial<LeaseRequest> = {}): LeaseRequest => ({
  run: 'run-1',
  ticket: ticketId('tikv', 1),
  target: 'tikv-2',
  action: 'start-store',
  key: 'run-1.p.1.1',
  forMs: 60_000,
  rate: { times: 2, withinMs: HOUR },
  ...part,
});
const desk = emptyDesk(1);

describe('the acting lease', () => {
  it('goes to one run at a time and is free again when it is over or given back', () => {
    const { desk: held, answer } = grantLease(desk, request(), at(0));
    expect(answer).toEqual({
      granted: true,
      lease: { run: 'run-1', ticket: 'tikv/1', target: 'tikv-2', until: at(60) },
    });
    const other = request({ run: 'run-2', key: 'run-2.p.1.1', ticket: ticketId('tikv', 2), rate: null });
    expect(grantLease(held, other, at(59)).answer).toEqual({
      granted: false,
      why: 'held',
      reason: `tikv/1 acts on tikv-2 until ${at(60)}`,
    });
    expect(grantLease(held, other, at(60)).answer.granted).toBe(true);
    expect(grantLease(releaseLease(held, 'run-1'), other, at(1)).answer.granted).toBe(true);
    expect(releaseLease(held, 'run-2').lease?.run).toBe('run-1');
  });

  it('is not granted while the subject is frozen, and says by whom', () => {
    const frozen = { ...desk, frozen: { by: 'ana', reason: 'upgrade', at: at(0) } };
    expect(grantLease(frozen, request(), at(1)).answer).toEqual({
      granted: false,
      why: 'frozen',
      reason: 'frozen by ana: upgrade',
    });
  });

  it('counts a pre-approved action per target and hour, over all tickets, and a repeated request once', () => {
    const once = grantLease(desk, request(), at(0)).desk;
    const again = grantLease(once, request(), at(1)).desk;
    expect(runsWithin(again.acts, { action: 'start-store', target: 'tikv-2', withinMs: HOUR }, at(2))).toBe(1);
    const second = releaseLease(grantLease(again, request({ key: 'run-1.q.1.1' }), at(2)).desk, 'run-1');
    const third = request({ run: 'run-9', key: 'run-9.p.1.1' });
    expect(grantLease(second, third, at(3)).answer).toEqual({
      granted: false,
      why: 'rate',
      reason: 'start-store ran 2 times on tikv-2 within 60 min',
    });
    expect(grantLease(second, { ...third, target: 'tikv-3' }, at(3)).answer.granted).toBe(true);
    expect(grantLease(second, third, at(3_602)).answer.granted).toBe(true);
    expect(grantLease(second, { ...third, rate: null }, at(3)).answer.granted).toBe(true);
  });

  it('does not count the act that asks', () => {
    const { acts } = grantLease(desk, request(), at(0)).desk;
    const of = { action: 'start-store', target: 'tikv-2', withinMs: HOUR };
    expect(runsWithin(acts, { ...of, except: 'run-1.p.1.1' }, at(1))).toBe(0);
  });
});

describe('closing a ticket', () => {
  const violation = {
    invariant: 'store-up',
    target: 'tikv-2',
    severity: 'high' as const,
    message: 'down',
    fingerprint: 'f',
    since: at(0),
  };
  const open = {
    ...desk,
    tickets: [{ id: ticketId('tikv', 1), openedAt: at(0), target: 'tikv-2', active: [violation] }],
  };
  const closing = { ticket: ticketId('tikv', 1), at: at(9), fingerprints: ['f'], target: 'tikv-2' };

  it('remembers a proven repair, so that a return is told as a recurrence', () => {
    const after = closeTicket(open, { ...closing, phase: 'resolved' });
    expect(after.tickets).toEqual([]);
    expect(recurrenceOf(after, ['f'], { now: at(100), withinMs: 600_000 })).toBe('tikv/1');
    expect(recurrenceOf(after, ['f'], { now: at(700), withinMs: 600_000 })).toBeNull();
    expect(recurrenceOf(after, ['g'], { now: at(100), withinMs: 600_000 })).toBeNull();
  });

  it.each(['no-fault', 'aborted', 'closed-by-person'])('keeps what is still active quiet after %s', (phase) => {
    const after = closeTicket(open, { ...closing, phase });
    expect(after.tickets).toMatchObject([{ id: 'tikv/1', quiet: true, active: [violation] }]);
    expect(openTickets(after)).toEqual([]);
    const cleared = { ...after, tickets: after.tickets.map((t) => ({ ...t, active: [] })) };
    expect(pruneDesk(cleared, at(20)).tickets).toEqual([]);
  });
});

it('calls a target flapping after six tickets within the hour', () => {
  const filed = Array.from({ length: FILING_LIMIT_PER_HOUR }, (_, i) => ({ target: 'tikv-2', at: at(i) }));
  expect(isFlapping({ ...desk, filed: filed.slice(1) }, 'tikv-2', at(10))).toBe(false);
  expect(isFlapping({ ...desk, filed }, 'tikv-2', at(10))).toBe(true);
  expect(isFlapping({ ...desk, filed }, 'tikv-3', at(10))).toBe(false);
  expect(isFlapping({ ...desk, filed }, 'tikv-2', at(4_000))).toBe(false);
});
