import { type Books, monthOf } from './budget-books.js';
import { type Instant, instant } from './ids.js';
import type { Micros } from './money.js';

/**
 * What the month will have cost at its end if it goes on like the last days: what is spent and reserved, and for the
 * time that is left the mean of a day.
 */
export interface Forecast {
  readonly micros: Micros;
  /** Mean of a day over `overDays`. */
  readonly perDayMicros: Micros;
  /** From the first day with a paid call, at most the last seven, to now; at least one day. */
  readonly overDays: number;
  /** Until the month ends. */
  readonly daysLeft: number;
}

const DAY_MS = 86_400_000;
const LOOK_BACK_DAYS = 7;

export function forecast({ months, days }: Books, now: Instant): Forecast {
  const month = months[monthOf(now)];
  const today = Date.parse(`${now.slice(0, 10)}T00:00:00.000Z`);
  const since = instant(today - (LOOK_BACK_DAYS - 1) * DAY_MS).slice(0, 10);
  const recent = Object.entries(days).filter(([day]) => day >= since);
  const [first = now.slice(0, 10)] = recent.map(([day]) => day).sort();
  const overDays = Math.max(1, (Date.parse(now) - Date.parse(`${first}T00:00:00.000Z`)) / DAY_MS);
  const perDayMicros = Math.round(recent.reduce((sum, [, micros]) => sum + micros, 0) / overDays);
  const daysLeft = (endOf(now) - Date.parse(now)) / DAY_MS;
  const committed = month ? month.spent + month.reserved : 0;
  return { micros: committed + Math.round(perDayMicros * daysLeft), perDayMicros, overDays, daysLeft };
}

function endOf(now: Instant): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
