import { between, type Instant, type Target } from './ids.js';
import type { Report, Violation } from './violation.js';
import { later } from './waits.js';

/** A time in which people work on a target: what is violated meanwhile is recorded, not filed, and nothing acts on it. */
export interface MaintenanceWindow {
  /** `m3`: what people type. */
  readonly id: string;
  /** `null`: the whole subject. */
  readonly target: Target | null;
  readonly from: Instant;
  readonly until: Instant;
  readonly by: string;
  readonly reason: string;
  readonly recorded: readonly RecordedViolation[];
  /** Who ended it; absent: its time did, or it goes on. */
  readonly endedBy?: string;
}

/** A violation that was not filed because of a window. */
export interface RecordedViolation {
  readonly violation: Violation;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** It was not seen to be over. */
  readonly isActive: boolean;
}

/** The windows of one subject; bounded, part of the desk. */
export interface MaintenanceBook {
  readonly nextNumber: number;
  readonly open: readonly MaintenanceWindow[];
  /** The newest last. */
  readonly past: readonly MaintenanceWindow[];
}

export const NO_MAINTENANCE: MaintenanceBook = { nextNumber: 1, open: [], past: [] };

/** Update `maintain` of a desk. */
export interface MaintenanceRequest {
  readonly target: Target | null;
  readonly forMs: number;
  readonly by: string;
  readonly reason: string;
}

/** A window that is longer would be forgotten, and with it whatever breaks in it. */
export const LONGEST_WINDOW_MS = 7 * 86_400_000;
const MOST_OPEN = 50;
const MOST_PAST = 20;
const MOST_RECORDED = 50;

/** What is wrong with the form of a request; `null`: nothing. */
export function faultOfMaintenance(request: MaintenanceRequest, book: MaintenanceBook): string | null {
  const { target, forMs, by, reason } = request ?? {};
  if (target !== null && (typeof target !== 'string' || target === '')) return 'need a target, or null for all';
  if (typeof by !== 'string' || typeof reason !== 'string') return 'need {target, forMs, by, reason}';
  if (!Number.isFinite(forMs) || forMs <= 0) return 'need a positive time';
  if (forMs > LONGEST_WINDOW_MS) return `a window has at most ${LONGEST_WINDOW_MS / 86_400_000} days`;
  return book.open.length < MOST_OPEN ? null : `there are ${MOST_OPEN} windows already`;
}

export function openWindow(
  book: MaintenanceBook,
  { target, forMs, by, reason }: MaintenanceRequest,
  now: Instant,
): { readonly book: MaintenanceBook; readonly window: MaintenanceWindow } {
  const id = `m${book.nextNumber}`;
  const window = { id, target, from: now, until: later(now, forMs), by, reason, recorded: [] };
  return { window, book: { ...book, nextNumber: book.nextNumber + 1, open: [...book.open, window] } };
}

/** The window that forbids to act on a target now. */
export const windowOn = (book: MaintenanceBook, target: Target, now: Instant): MaintenanceWindow | null =>
  book.open.find((window) => isRunning(window, now) && (window.target === null || window.target === target)) ?? null;

/** Windows whose time is over. */
export const windowsOver = ({ open }: MaintenanceBook, now: Instant): readonly MaintenanceWindow[] =>
  open.filter((window) => !isRunning(window, now));

const isRunning = ({ until }: MaintenanceWindow, now: Instant): boolean => between(now, until) > 0;

/** Until the first window ends; `null`: there is none. */
export const nextEndMs = ({ open }: MaintenanceBook, now: Instant): number | null =>
  open.length === 0 ? null : Math.max(0, Math.min(...open.map(({ until }) => between(now, until))));

export interface Held {
  readonly book: MaintenanceBook;
  /** What is left of the report for the desk to file. */
  readonly report: Report;
}

/**
 * Takes out of a report what belongs into a window and writes it down there. What is on a ticket already (`known`
 * fingerprints) stays with it. Symptoms without a target belong to a window on one target only while something of
 * that target is broken in it, and never when they are critical: then more is broken than what people work on.
 */
export function holdBack(book: MaintenanceBook, report: Report, known: ReadonlySet<string>): Held {
  if (book.open.length === 0) return { book, report };
  const fresh = report.active.filter(({ fingerprint }) => !known.has(fingerprint));
  const open = book.open.map((window) => noteReport(window, fresh, report));
  const isHeld = (violation: Violation) => open.some((window) => holds(window, violation));
  const active = report.active.filter((violation) => known.has(violation.fingerprint) || !isHeld(violation));
  return { book: { ...book, open }, report: { ...report, active } };
}

/** A symptom that was recorded and then became critical is held no longer. */
const holds = ({ target, recorded }: MaintenanceWindow, violation: Violation): boolean =>
  (target === null || violation.target !== null || violation.severity !== 'critical') &&
  recorded.some((entry) => entry.violation.fingerprint === violation.fingerprint);

function noteReport(window: MaintenanceWindow, fresh: readonly Violation[], report: Report): MaintenanceWindow {
  if (!isRunning(window, report.at)) return window;
  const own = fresh.filter(({ target }) => target !== null && (window.target === null || target === window.target));
  const still = stillBroken(report);
  const known = window.recorded.map((entry) => (still(entry.violation) ? entry : { ...entry, isActive: false }));
  const hasOwn = own.length > 0 || known.some(({ isActive, violation }) => isActive && violation.target !== null);
  const symptoms = fresh.filter(({ target, severity }) => target === null && isSymptomOf(window, { hasOwn, severity }));
  return { ...window, recorded: record(known, [...own, ...symptoms], report.at) };
}

const isSymptomOf = (
  { target }: MaintenanceWindow,
  { hasOwn, severity }: { readonly hasOwn: boolean; readonly severity: Violation['severity'] },
): boolean => target === null || (hasOwn && severity !== 'critical');

/** As for tickets: over is only what was judged long enough and is neither active nor suspect. */
function stillBroken({ active, suspect, judged, cleared = [] }: Report): (violation: Violation) => boolean {
  const held = new Set([...active.map(({ fingerprint }) => fingerprint), ...suspect]);
  return ({ fingerprint, invariant }) =>
    !cleared.includes(fingerprint) && (held.has(fingerprint) || !judged.includes(invariant));
}

function record(
  known: readonly RecordedViolation[],
  seen: readonly Violation[],
  at: Instant,
): readonly RecordedViolation[] {
  const names = new Map(seen.map((violation) => [violation.fingerprint, violation]));
  const again = known.map((entry) => {
    const violation = names.get(entry.violation.fingerprint);
    return violation ? { ...entry, violation, lastAt: at, isActive: true } : entry;
  });
  const old = new Set(known.map(({ violation }) => violation.fingerprint));
  const added = seen
    .filter(({ fingerprint }) => !old.has(fingerprint))
    .map((violation) => ({ violation, firstAt: at, lastAt: at, isActive: true }));
  // What finds no room is filed.
  return [...again, ...added].slice(0, MOST_RECORDED);
}

/**
 * Ends a window, by a person or because its time is over.
 *
 * @returns what it had recorded and was not seen to be over: to be filed now, unless another window holds it
 */
export function closeWindow(
  book: MaintenanceBook,
  id: string,
  { now, by }: { readonly now: Instant; readonly by?: string },
): { readonly book: MaintenanceBook; readonly left: readonly Violation[] } {
  const window = book.open.find((each) => each.id === id);
  if (!window) return { book, left: [] };
  const until = between(now, window.until) > 0 ? now : window.until;
  const ended = { ...window, until, ...(by === undefined ? {} : { endedBy: by }) };
  return {
    book: { ...book, open: book.open.filter((each) => each.id !== id), past: [...book.past, ended].slice(-MOST_PAST) },
    left: window.recorded.flatMap(({ isActive, violation }) => (isActive ? [violation] : [])),
  };
}
