import { describe, expect, it } from '@jest/globals';
import type { Ceilings } from '../../../src/domain/ceilings.js';
import { type Instant, instant, ticketId } from '../../../src/domain/ids.js';
import { EXPIRY_MS, expire, nextExpiry, reserve, settle } from '../../../src/domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../../../src/domain/ledger-state.js';
import type { Reservation, Settlement } from '../../../src/domain/reservation.js';

const USD = 1_000_000;
const NOW = '2026-11-30T12:00:00.000Z';
const ceilings = (part: Partial<Ceilings> = {}): Ceilings => ({
  monthUsd: 50,
  agents: { triage: 40 },
  ticketUsd: 2,
  warnAt: 0.8,
  ...part,
});
const call = (id: string, micros: number, part: Partial<Reservation> = {}): Reservation => ({
  id,
  ticket: ticketId('tikv', 1),
  agent: 'triage',
  model: 'm',
  micros,
  ...part,
});
const used = (id: string, micros: number): Settlement => ({ id, outcome: { kind: 'used', micros } });
const released = (id: string): Settlement => ({ id, outcome: { kind: 'released', why: 'overloaded' } });
const unknown = (id: string): Settlement => ({ id, outcome: { kind: 'unknown', why: 'timeout' } });
const later = (ms: number, from: Instant = NOW): Instant => instant(Date.parse(from) + ms);

/** A ledger that remembers what it told. */
function book(start: Ledger = EMPTY_LEDGER) {
  const notices: string[] = [];
  let ledger = start;
  let now = NOW;
  return {
    notices,
    get ledger() {
      return ledger;
    },
    at: (time: Instant) => {
      now = time;
    },
    reserve: (reservation: Reservation, under = ceilings()) => {
      const result = reserve(ledger, reservation, under, now);
      ledger = result.ledger;
      notices.push(...result.notices.map((n) => `${n.kind}: ${n.text}`));
      return result.answer;
    },
    settle: (settlement: Settlement) => {
      const result = settle(ledger, settlement, now);
      ledger = result.ledger;
      notices.push(...result.notices.map((n) => `${n.kind}: ${n.text}`));
    },
    expire: () => {
      ledger = expire(ledger, now).ledger;
    },
    /** Spent and reserved of month, agent and ticket. */
    sums: (month = '2026-11') => {
      const { months, tickets } = ledger.books;
      const of = (account?: { spent: number; reserved: number }) => account && [account.spent, account.reserved];
      return [of(months[month]), of(months[month]?.agents.triage), of(tickets['tikv/1'])];
    },
  };
}
const all = (spent: number, reserved: number) => [
  [spent, reserved],
  [spent, reserved],
  [spent, reserved],
];

describe('a reservation', () => {
  it('holds its worst case until it is settled, and then what was used', () => {
    const it = book();
    expect(it.reserve(call('a', 500_000))).toEqual({ granted: true });
    expect(it.sums()).toEqual(all(0, 500_000));
    it.settle(used('a', 120_000));
    expect(it.sums()).toEqual(all(120_000, 0));
    expect(it.ledger.books.days).toEqual({ '2026-11-30': 120_000 });
  });

  it('costs nothing when it was released, and its worst case when nobody knows', () => {
    const it = book();
    it.reserve(call('a', 500_000));
    it.settle(released('a'));
    expect(it.sums()).toEqual(all(0, 0));
    it.reserve(call('b', 300_000));
    it.settle(unknown('b'));
    expect(it.sums()).toEqual(all(300_000, 0));
  });

  it('that is asked for again gets the first answer and holds nothing twice, also after it was settled', () => {
    const it = book();
    it.reserve(call('a', 500_000));
    expect(it.reserve(call('a', 500_000))).toEqual({ granted: true });
    expect(it.sums()).toEqual(all(0, 500_000));
    it.settle(used('a', 100_000));
    const before = it.ledger;
    expect(it.reserve(call('a', 500_000), ceilings({ monthUsd: 0 }))).toEqual({ granted: true });
    expect(it.ledger).toBe(before);
  });

  it('that was refused stays refused under the same id, with the same words', () => {
    const it = book();
    const refused = it.reserve(call('a', 3 * USD));
    expect(refused).toMatchObject({ granted: false, ceiling: 'ticket' });
    expect(it.reserve(call('a', 3 * USD), ceilings({ ticketUsd: 10 }))).toEqual(refused);
    expect(it.reserve(call('b', 3 * USD), ceilings({ ticketUsd: 10 }))).toEqual({ granted: true });
  });

  it.each([
    [ceilings({ monthUsd: 1 }), 'month', 'the ceiling of 1.00 USD for the month 2026-11 leaves too little'],
    [
      ceilings({ agents: { triage: 1 } }),
      'agent',
      'the ceiling of 1.00 USD for agent triage in 2026-11 leaves too little',
    ],
    [ceilings({ ticketUsd: 1 }), 'ticket', 'the ceiling of 1.00 USD for ticket tikv/1 leaves too little'],
  ] as const)('is refused by the first ceiling that cannot bear it: %j', (under, ceiling, words) => {
    const it = book();
    it.reserve(call('a', 700_000), under);
    it.settle(used('a', 600_000));
    it.reserve(call('b', 300_000), under);
    const sums = it.sums();
    expect(it.reserve(call('c', 100_001), under)).toEqual({
      granted: false,
      ceiling,
      reason: `${words}: 0.6000 USD spent, 0.3000 USD reserved, 0.1000 USD asked for`,
    });
    expect(it.sums()).toEqual(sums);
    expect(it.reserve(call('d', 100_000), under)).toEqual({ granted: true });
  });

  it('of an agent without a ceiling of its own is bounded by the month', () => {
    const it = book();
    const under = ceilings({ agents: {}, ticketUsd: 100 });
    expect(it.reserve(call('a', 50 * USD, { agent: 'constructor' }), under)).toEqual({ granted: true });
    expect(it.reserve(call('b', 1, { agent: 'constructor' }), under)).toMatchObject({ ceiling: 'month' });
  });
});

describe('a settlement', () => {
  it('that is repeated changes nothing, whatever it says the second time', () => {
    const it = book();
    it.reserve(call('a', 500_000));
    it.settle(used('a', 100_000));
    const before = it.ledger;
    for (const again of [used('a', 100_000), used('a', 200_000), released('a'), unknown('a')]) it.settle(again);
    expect(it.ledger).toEqual(before);
  });

  it('of an id that was never reserved is counted and changes nothing else', () => {
    const it = book();
    it.settle(used('x', 100_000));
    expect(it.ledger).toEqual({ ...EMPTY_LEDGER, counts: { ...EMPTY_LEDGER.counts, strays: 1 } });
  });

  it('above its reservation is booked as it is, counted, and told once a month', () => {
    const it = book();
    for (const id of ['a', 'b']) {
      it.reserve(call(id, 100_000));
      it.settle(used(id, 150_000));
    }
    expect(it.sums()).toEqual(all(300_000, 0));
    expect(it.ledger.counts.overruns).toBe(2);
    expect(it.notices).toEqual([
      'overrun: A call of ticket tikv/1 cost 0.1500 USD, more than the 0.1000 USD reserved as its worst case. It is booked; the estimate is wrong.',
    ]);
  });

  it('stays consistent when prices change in mid-month: each call is booked at the prices it was reserved with', () => {
    const tokens = { in: 20_000, out: 1_000, worstOut: 4_000 };
    const at = (perIn: number, perOut: number, out: number) => tokens.in * perIn + out * perOut;
    const it = book();
    it.reserve(call('old', at(3, 15, tokens.worstOut)));
    it.reserve(call('new', at(6, 30, tokens.worstOut)));
    it.settle(used('new', at(6, 30, tokens.out)));
    it.settle(used('old', at(3, 15, tokens.out)));
    expect(it.sums()).toEqual(all(at(3, 15, tokens.out) + at(6, 30, tokens.out), 0));
    expect(it.ledger.counts.overruns).toBe(0);
  });
});

describe('a reservation that nobody settles', () => {
  it('counts as spent at its worst case after twenty minutes', () => {
    const it = book();
    it.reserve(call('a', 500_000));
    expect(nextExpiry(it.ledger)).toBe(later(EXPIRY_MS));
    it.at(later(EXPIRY_MS - 1));
    it.expire();
    expect(it.sums()).toEqual(all(0, 500_000));
    it.at(later(EXPIRY_MS));
    it.expire();
    expect(it.sums()).toEqual(all(500_000, 0));
    expect([nextExpiry(it.ledger), it.ledger.counts.lost]).toEqual([null, 1]);
  });

  it.each([
    [used('a', 120_000), 120_000],
    [released('a'), 0],
  ])('is corrected once by a settlement that is found later: %j', (found, spent) => {
    const it = book();
    it.reserve(call('a', 500_000));
    it.at(later(EXPIRY_MS));
    it.settle(unknown('a'));
    expect(it.sums()).toEqual(all(500_000, 0));
    it.settle(found);
    it.settle(used('a', 400_000));
    expect(it.sums()).toEqual(all(spent, 0));
    expect(it.ledger.counts).toMatchObject({ lost: 1, found: 1, strays: 0 });
  });
});

describe('the end of a month', () => {
  it('opens new accounts, while a call that was reserved before is booked before', () => {
    const it = book();
    it.at('2026-11-30T23:59:00.000Z');
    it.reserve(call('a', USD), ceilings({ monthUsd: 1 }));
    it.at('2026-12-01T00:01:00.000Z');
    expect(it.reserve(call('b', USD), ceilings({ monthUsd: 1 }))).toEqual({ granted: true });
    it.settle(used('a', 600_000));
    expect(it.sums('2026-11').slice(0, 2)).toEqual([
      [600_000, 0],
      [600_000, 0],
    ]);
    expect(it.sums('2026-12').slice(0, 2)).toEqual([
      [0, USD],
      [0, USD],
    ]);
    expect(it.ledger.books.days).toEqual({ '2026-11-30': 600_000 });
  });

  it('does not give a ticket its ceiling a second time', () => {
    const it = book();
    it.at('2026-11-30T23:59:00.000Z');
    it.reserve(call('a', 2 * USD));
    it.settle(used('a', 1_500_000));
    it.at('2026-12-01T00:01:00.000Z');
    expect(it.reserve(call('b', 500_001))).toMatchObject({ granted: false, ceiling: 'ticket' });
    expect(it.reserve(call('c', 500_000))).toEqual({ granted: true });
  });

  it('corrects an unknown call of the month before in that month', () => {
    const it = book();
    it.at('2026-11-30T23:59:00.000Z');
    it.reserve(call('a', USD));
    it.at('2026-12-01T01:00:00.000Z');
    it.expire();
    expect(it.sums('2026-11')[0]).toEqual([USD, 0]);
    it.settle(used('a', 1));
    expect(it.sums('2026-11').slice(0, 2)).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(it.ledger.books.months['2026-12']).toBeUndefined();
  });
});

describe('a person', () => {
  const wide = ceilings({ monthUsd: 10, agents: {}, ticketUsd: 100 });

  it('is warned once a month when 80 % of a ceiling are spent; what is only reserved does not count', () => {
    const it = book();
    it.reserve(call('a', 9 * USD), wide);
    expect(it.notices).toEqual([]);
    it.settle(used('a', 8 * USD));
    it.reserve(call('b', USD), wide);
    it.settle(used('b', USD));
    expect(it.notices).toEqual(['warning: 80 % of the ceiling of 10.00 USD for the month 2026-11 is spent: 8.00 USD.']);
    it.at('2026-12-05T00:00:00.000Z');
    it.reserve(call('c', 9 * USD), wide);
    it.settle(used('c', 9 * USD));
    expect(it.notices).toHaveLength(2);
  });

  it('is told once a month that calls are refused, and not warned after it', () => {
    const it = book();
    it.reserve(call('a', 7 * USD), wide);
    for (const id of ['b', 'c', 'd']) it.reserve(call(id, 4 * USD), wide);
    it.settle(used('a', 7 * USD));
    it.reserve(call('e', 2 * USD), wide);
    it.settle(used('e', 2 * USD));
    expect(it.notices).toEqual([
      'reached: A paid call was refused: the ceiling of 10.00 USD for the month 2026-11 leaves too little: 0.00 USD spent, ' +
        '7.00 USD reserved, 4.00 USD asked for. Tickets go on with rules, or hand over with a brief.',
    ]);
  });

  it('is told again after the ceiling was raised, and not when it was lowered', () => {
    const it = book();
    it.reserve(call('a', 8 * USD), wide);
    it.settle(used('a', 8 * USD));
    it.reserve(call('b', USD), { ...wide, monthUsd: 9.5 });
    it.settle(used('b', USD));
    expect(it.notices).toHaveLength(1);
    it.reserve(call('c', 10 * USD), { ...wide, monthUsd: 20 });
    it.settle(used('c', 8 * USD));
    expect(it.notices).toEqual([
      expect.stringContaining('80 % of the ceiling of 10.00 USD'),
      expect.stringContaining('80 % of the ceiling of 20.00 USD'),
    ]);
  });

  it('is warned at once when a ceiling is lowered below what is spent', () => {
    const it = book();
    it.reserve(call('a', 5 * USD), wide);
    it.settle(used('a', 5 * USD));
    it.reserve(call('b', 1), { ...wide, monthUsd: 6 });
    expect(it.notices).toEqual(['warning: 80 % of the ceiling of 6.00 USD for the month 2026-11 is spent: 5.00 USD.']);
  });
});

describe('the size of a ledger', () => {
  const bytes = (ledger: Ledger) => Buffer.byteLength(JSON.stringify(ledger));
  const name = (kind: string, n: number, length: number) => `${kind}${String(n).padStart(length - kind.length, '0')}`;
  /** Names as long as they may be, every call by another ticket and agent, a year and more long. */
  const worst = (n: number) =>
    call(name('r', n, 64), 1_000_000, {
      ticket: ticketId(name('s', n, 33), 100_000 + (n % 900_000)),
      agent: name('a', n % 40, 40),
    });
  const broad: Ceilings = {
    monthUsd: 999_999.99,
    agents: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [name('a', n, 40), 999_999.99])),
    ticketUsd: 1.05,
    warnAt: 0.8,
  };

  it('stays below 100 KiB over 10,000 reservations of which nothing is ever settled', () => {
    const it = book();
    let most = 0;
    for (let n = 0; n < 5_000; n += 1) {
      it.at(later(n * 7_200_000));
      it.reserve(worst(n), broad);
      it.reserve(call(name('x', n, 64), 900_000_000_000, { ticket: worst(n).ticket, agent: worst(n).agent }), broad);
      if (n % 61 === 0) most = Math.max(most, bytes(it.ledger));
    }
    expect(most).toBeLessThan(100 * 1024);
  }, 60_000);

  it('stays below 100 KiB over 10,000 reservations within a minute, some settled, some lost, some refused', () => {
    const it = book();
    let most = 0;
    for (let n = 0; n < 5_000; n += 1) {
      it.at(later(n * 12));
      it.reserve(worst(n), broad);
      it.reserve(call(name('x', n, 64), 2_000_000, { ticket: worst(n).ticket, agent: worst(n).agent }), broad);
      if (n % 3 === 0) it.settle(used(worst(n).id, 1_049_999));
      if (n % 3 === 1) it.settle(unknown(worst(n).id));
      if (n % 61 === 0) most = Math.max(most, bytes(it.ledger));
    }
    expect(Object.keys(it.ledger.books.tickets)).toHaveLength(100);
    expect(it.ledger.done).toHaveLength(240);
    // It did grow: the bound is not held by refusing everything.
    expect(most).toBeGreaterThan(60 * 1024);
    expect(most).toBeLessThan(100 * 1024);
  }, 60_000);

  it('never forgets a ticket with a call in flight, and loses no money of what it forgets', () => {
    const it = book();
    it.reserve(call('kept', 900_000), broad);
    for (let n = 0; n < 300; n += 1) {
      it.reserve(call(`r${n}`, 10, { ticket: ticketId('tikv', n + 2) }), broad);
      it.settle(used(`r${n}`, 10));
    }
    expect(it.ledger.books.tickets['tikv/1']).toMatchObject({ reserved: 900_000 });
    expect(it.ledger.books.tickets['tikv/2']).toBeUndefined();
    expect(it.ledger.books.months['2026-11']).toMatchObject({ spent: 3_000, reserved: 900_000 });
  });

  it('counts the oldest open call as spent when too many are open, and still corrects it', () => {
    const it = book();
    for (let n = 0; n < 65; n += 1) it.reserve(call(`r${n}`, 10), ceilings({ ticketUsd: 50 }));
    expect(it.sums()).toEqual(all(10, 640));
    it.settle(used('r0', 1));
    expect(it.sums()).toEqual(all(1, 640));
  });

  it('has no account for a seventeenth agent in a month, and refuses its calls', () => {
    const it = book();
    const under = ceilings({ agents: {} });
    for (let n = 0; n < 16; n += 1) expect(it.reserve(call(`r${n}`, 1, { agent: `a${n}` }), under).granted).toBe(true);
    expect(it.reserve(call('x', 1, { agent: 'more' }), under)).toEqual({
      granted: false,
      ceiling: 'agent',
      reason: '16 agents had paid calls in 2026-11, and no more have an account',
    });
    it.at('2026-12-01T00:00:00.000Z');
    expect(it.reserve(call('y', 1, { agent: 'more' }), under).granted).toBe(true);
  });
});
