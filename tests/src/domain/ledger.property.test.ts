import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import type { Ceilings } from '../../../src/domain/ceilings.js';
import { instant, ticketId } from '../../../src/domain/ids.js';
import { EXPIRY_MS, expire, reserve, settle } from '../../../src/domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../../../src/domain/ledger-state.js';
import { microsOf } from '../../../src/domain/money.js';
import type { Settlement } from '../../../src/domain/reservation.js';

const AGENTS = ['triage', 'rca'] as const;
const CALLS = 24;

/** One thing that happens to a ledger. Ids come from a small pool, so that repeats are frequent. */
type Happening =
  | {
      readonly do: 'reserve';
      readonly id: number;
      readonly ticket: number;
      readonly agent: number;
      readonly micros: number;
    }
  | { readonly do: 'settle'; readonly id: number; readonly kind: Settlement['outcome']['kind']; readonly part: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'expire' }
  | { readonly do: 'configure'; readonly factor: number };

const id = fc.integer({ min: 0, max: CALLS - 1 });
const happening = (factor: fc.Arbitrary<number>): fc.Arbitrary<Happening> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('reserve' as const),
        id,
        ticket: fc.integer({ min: 1, max: 4 }),
        agent: fc.integer({ min: 0, max: 1 }),
        micros: fc.integer({ min: 0, max: 600_000 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        id,
        kind: fc.constantFrom('used' as const, 'released' as const, 'unknown' as const),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    {
      weight: 2,
      // Minutes, about the time of expiry, days, and into the next month.
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(1, 60_000, EXPIRY_MS - 1, EXPIRY_MS, 86_400_000, 31 * 86_400_000),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'expire' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('configure' as const), factor }) },
  );

const CEILINGS: Ceilings = { monthUsd: 2, agents: { triage: 1.2 }, ticketUsd: 0.9, warnAt: 0.8 };
const scaled = (factor: number): Ceilings => ({
  monthUsd: CEILINGS.monthUsd * factor,
  agents: { triage: 1.2 * factor },
  ticketUsd: CEILINGS.ticketUsd * factor,
  warnAt: 0.8,
});

/** What a call is worth, kept without any bound: the plain truth to compare with. */
interface Call {
  readonly ticket: string;
  readonly agent: string;
  readonly day: string;
  readonly micros: number;
  readonly answer: { readonly granted: boolean };
  readonly atMs: number;
  state: 'open' | 'unknown' | 'final';
  spent: number;
}

function run(
  happenings: readonly Happening[],
  check: (ledger: Ledger, calls: Map<string, Call>, nowMs: number) => void,
) {
  let ledger = EMPTY_LEDGER;
  let ceilings = CEILINGS;
  let nowMs = Date.parse('2026-11-29T22:00:00.000Z');
  const calls = new Map<string, Call>();
  const pass = () => {
    for (const call of calls.values())
      if (call.state === 'open' && nowMs - call.atMs >= EXPIRY_MS)
        Object.assign(call, { state: 'unknown', spent: call.micros });
  };
  for (const what of happenings) {
    const now = instant(nowMs);
    switch (what.do) {
      case 'wait':
        nowMs += what.ms;
        break;
      case 'configure':
        ceilings = scaled(what.factor);
        break;
      case 'expire':
        pass();
        ledger = expire(ledger, now).ledger;
        break;
      case 'reserve': {
        const key = `run.${what.id}`;
        const ticket = ticketId('tikv', what.ticket);
        const agent = AGENTS[what.agent] ?? 'triage';
        const asked = reserve(ledger, { id: key, ticket, agent, model: 'm', micros: what.micros }, ceilings, now);
        const known = calls.get(key);
        if (known) {
          must(JSON.stringify(asked.answer) === JSON.stringify(known.answer), () => `${key}: another answer`);
          must(asked.ledger === ledger, () => `${key}: a repeat changed the ledger`);
          break;
        }
        ledger = asked.ledger;
        pass();
        const { granted } = asked.answer;
        const rest = { state: granted ? 'open' : 'final', spent: 0 } as const;
        calls.set(key, {
          ticket,
          agent,
          day: now.slice(0, 10),
          micros: what.micros,
          answer: asked.answer,
          atMs: nowMs,
          ...rest,
        });
        if (granted) within(ledger, ceilings, { ticket, agent, month: now.slice(0, 7) });
        break;
      }
      case 'settle': {
        const key = `run.${what.id}`;
        const call = calls.get(key);
        const micros = Math.floor((call?.micros ?? 0) * what.part);
        pass();
        const outcome = what.kind === 'used' ? { kind: what.kind, micros } : { kind: what.kind, why: 'w' };
        ledger = settle(ledger, { id: key, outcome }, now).ledger;
        if (!call || call.state === 'final' || !call.answer.granted) break;
        if (what.kind !== 'unknown') Object.assign(call, { state: 'final', spent: what.kind === 'used' ? micros : 0 });
        else Object.assign(call, { state: 'unknown', spent: call.micros });
      }
    }
    check(ledger, calls, nowMs);
  }
}

/** Plain comparisons: there are a million of them, and `expect` is slow. */
function must(holds: boolean, words: () => string): void {
  if (!holds) throw new Error(words());
}

interface Sums {
  readonly spent: number;
  readonly reserved: number;
}
const same = (what: string, got: Sums, want: Sums) =>
  must(
    got.spent === want.spent && got.reserved === want.reserved,
    () => `${what}: ${got.spent} spent, ${got.reserved} reserved; should be ${want.spent} and ${want.reserved}`,
  );
const atMost = (what: string, got: Sums | undefined, usd: number) =>
  must(
    !got || got.spent + got.reserved <= microsOf(usd),
    () => `${what}: ${got?.spent} spent and ${got?.reserved} reserved pass ${usd} USD`,
  );

/** Right after a grant, none of its three accounts is above its ceiling. */
function within(ledger: Ledger, ceilings: Ceilings, of: { ticket: string; agent: string; month: string }) {
  const { months, tickets } = ledger.books;
  const month = months[of.month];
  atMost(of.month, month, ceilings.monthUsd);
  atMost(of.agent, month?.agents[of.agent], ceilings.agents[of.agent] ?? ceilings.monthUsd);
  atMost(of.ticket, tickets[of.ticket], ceilings.ticketUsd);
}

const LONG = { minLength: 20, maxLength: 120, size: 'max' } as const;

describe('whatever happens to a ledger', () => {
  it('spent and reserved never pass a ceiling that stays as it is', () => {
    const steady = fc.array(happening(fc.constant(1)), LONG);
    fc.assert(
      fc.property(steady, (happenings) => {
        run(happenings, ({ books }) => {
          for (const [key, month] of Object.entries(books.months)) {
            atMost(key, month, CEILINGS.monthUsd);
            atMost('triage', month.agents.triage, 1.2);
          }
          for (const [key, ticket] of Object.entries(books.tickets)) atMost(key, ticket, CEILINGS.ticketUsd);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('each call is in the sums exactly once, whatever is repeated, expires, comes late, or is configured', () => {
    const any = fc.array(happening(fc.constantFrom(0, 0.3, 1, 2)), LONG);
    fc.assert(
      fc.property(any, (happenings) => {
        run(happenings, (ledger, calls) => {
          const granted = [...calls.values()].filter((call) => call.answer.granted);
          const total = (of: readonly Call[]) => ({
            spent: of.reduce((sum, call) => sum + call.spent, 0),
            reserved: of.reduce((sum, call) => sum + (call.state === 'open' ? call.micros : 0), 0),
          });
          for (const [key, month] of Object.entries(ledger.books.months)) {
            const ofMonth = granted.filter((call) => call.day.startsWith(key));
            same(key, month, total(ofMonth));
            must(month.calls === ofMonth.length, () => `${key}: ${month.calls} calls of ${ofMonth.length}`);
            for (const [agent, account] of Object.entries(month.agents))
              same(agent, account, total(ofMonth.filter((call) => call.agent === agent)));
          }
          for (const [ticket, account] of Object.entries(ledger.books.tickets))
            same(ticket, account, total(granted.filter((call) => call.ticket === ticket)));
          for (const [day, spent] of Object.entries(ledger.books.days))
            same(day, { spent, reserved: 0 }, { ...total(granted.filter((call) => call.day === day)), reserved: 0 });
        });
      }),
      { numRuns: 300 },
    );
  });
});
