import type { OpenTicket } from './correlation.js';
import type { Instant, Target, TicketId } from './ids.js';
import { between } from './ids.js';
import { type MaintenanceBook, NO_MAINTENANCE, windowOn } from './maintenance.js';
import type { Report } from './violation.js';

/** One run's right to act on the subject until `until`. */
export interface Lease {
  readonly run: string;
  readonly ticket: TicketId;
  readonly target: Target;
  readonly until: Instant;
}

/** One run of an action, counted across tickets for its rate. `key` is the journal key, so a repeat counts once. */
export interface ActRecord {
  readonly key: string;
  readonly action: string;
  readonly target: Target;
  readonly at: Instant;
}

export interface Freeze {
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/** A resolved ticket whose violations, should they come back, are a recurrence. */
export interface Resolved {
  readonly ticket: TicketId;
  readonly target: Target | null;
  readonly fingerprints: readonly string[];
  readonly at: Instant;
}

/** Outline of the newest report. */
export interface LastReport {
  readonly watch: string;
  readonly seq: number;
  readonly at: Instant;
  /** Invariants seen often enough to be judged. */
  readonly judged: number;
  /** Nothing is active or suspect, and something was judged. */
  readonly quiet: boolean;
}

export const outlineOf = ({ watch, seq, at, active, suspect, judged }: Report): LastReport => ({
  watch,
  seq,
  at,
  judged: judged.length,
  quiet: active.length === 0 && suspect.length === 0 && judged.length > 0,
});

/** Everything a desk remembers; bounded, carried through continue-as-new. */
export interface DeskState {
  readonly nextNumber: number;
  /** Open ones, and quiet ones whose violations go on. */
  readonly tickets: readonly OpenTicket[];
  readonly lease: Lease | null;
  readonly acts: readonly ActRecord[];
  readonly frozen: Freeze | null;
  readonly resolved: readonly Resolved[];
  /** Times of filing by target, for the filing rate. */
  readonly filed: readonly { readonly target: Target | null; readonly at: Instant }[];
  readonly lastReport: LastReport | null;
  /** Absent in a desk of 0.1. */
  readonly maintenance?: MaintenanceBook;
}

/** The windows of a desk, also of one that never had any. */
export const maintenanceOf = ({ maintenance }: DeskState): MaintenanceBook => maintenance ?? NO_MAINTENANCE;

export const emptyDesk = (nextNumber: number): DeskState => ({
  nextNumber,
  tickets: [],
  lease: null,
  acts: [],
  frozen: null,
  resolved: [],
  filed: [],
  lastReport: null,
});

/** What a ticket asks for before it acts. */
export interface LeaseRequest {
  readonly run: string;
  readonly ticket: TicketId;
  readonly target: Target;
  readonly action: string;
  /** Journal key of the act. */
  readonly key: string;
  readonly forMs: number;
  /** Set when the act rests on a pre-approval: at most this many runs of the action on the target within the time. */
  readonly rate: { readonly times: number; readonly withinMs: number } | null;
}

export type LeaseAnswer =
  | { readonly granted: true; readonly lease: Lease }
  | { readonly granted: false; readonly why: 'frozen' | 'maintenance' | 'held' | 'rate'; readonly reason: string };

const HOUR_MS = 3_600_000;

/** Decides on a lease. Asking again with the same run while it holds one renews it and counts nothing twice. */
export function grantLease(
  desk: DeskState,
  request: LeaseRequest,
  now: Instant,
): { desk: DeskState; answer: LeaseAnswer } {
  const refusal = whyNot(desk, request, now);
  if (refusal) return { desk, answer: { granted: false, ...refusal } };
  const until = new Date(Date.parse(now) + request.forMs).toISOString();
  const lease: Lease = { run: request.run, ticket: request.ticket, target: request.target, until };
  return { desk: { ...desk, lease, acts: recorded(desk.acts, request, now) }, answer: { granted: true, lease } };
}

function whyNot(
  desk: DeskState,
  request: LeaseRequest,
  now: Instant,
): Omit<Extract<LeaseAnswer, { granted: false }>, 'granted'> | null {
  const { frozen, lease, acts } = desk;
  if (frozen) return { why: 'frozen', reason: `frozen by ${frozen.by}: ${frozen.reason}` };
  const window = windowOn(maintenanceOf(desk), request.target, now);
  if (window)
    return {
      why: 'maintenance',
      reason: `maintenance ${window.id} by ${window.by} until ${window.until}: ${window.reason}`,
    };
  if (lease && lease.run !== request.run && lease.until > now)
    return { why: 'held', reason: `${lease.ticket} acts on ${lease.target} until ${lease.until}` };
  if (!request.rate || acts.some((act) => act.key === request.key)) return null;
  const { times, withinMs } = request.rate;
  const recent = runsWithin(acts, { ...request, withinMs }, now);
  if (recent < times) return null;
  const span = `${Math.round(withinMs / 60_000)} min`;
  return { why: 'rate', reason: `${request.action} ran ${recent} times on ${request.target} within ${span}` };
}

/** Which runs to count. */
export interface RunsOf {
  readonly action: string;
  readonly target: Target;
  readonly withinMs: number;
  /** The act that asks: the gate has recorded it already. */
  readonly except?: string;
}

/** How often an action ran on a target lately, over all tickets. */
export const runsWithin = (acts: readonly ActRecord[], of: RunsOf, now: Instant): number =>
  acts.filter(
    (a) => a.action === of.action && a.target === of.target && a.key !== of.except && between(a.at, now) < of.withinMs,
  ).length;

function recorded(
  acts: readonly ActRecord[],
  { key, action, target }: LeaseRequest,
  at: Instant,
): readonly ActRecord[] {
  if (acts.some((act) => act.key === key)) return acts;
  const kept = acts.filter((act) => between(act.at, at) < 24 * HOUR_MS).slice(-199);
  return [...kept, { key, action, target, at }];
}

/** Gives a lease back; somebody else's stays. */
export const releaseLease = (desk: DeskState, run: string): DeskState =>
  desk.lease?.run === run ? { ...desk, lease: null } : desk;

/** At most this many tickets for one target in an hour; the next one goes to a person at once. */
export const FILING_LIMIT_PER_HOUR = 6;

export const isFlapping = (desk: DeskState, target: Target | null, now: Instant): boolean =>
  desk.filed.filter((f) => f.target === target && between(f.at, now) < HOUR_MS).length >= FILING_LIMIT_PER_HOUR;

/** The resolved ticket that comes back with this violation, if it is recent enough. */
export const recurrenceOf = (
  desk: DeskState,
  fingerprints: readonly string[],
  { now, withinMs }: { now: Instant; withinMs: number },
): TicketId | null =>
  desk.resolved.findLast((r) => between(r.at, now) < withinMs && r.fingerprints.some((f) => fingerprints.includes(f)))
    ?.ticket ?? null;

/** Drops what is over or too old to matter. */
export const pruneDesk = (desk: DeskState, now: Instant): DeskState => ({
  ...desk,
  tickets: desk.tickets.filter((ticket) => !ticket.quiet || ticket.active.length > 0),
  filed: desk.filed.filter((f) => between(f.at, now) < HOUR_MS).slice(-200),
  resolved: desk.resolved.filter((r) => between(r.at, now) < HOUR_MS).slice(-50),
});

/** How a ticket ended, as its workflow tells the desk. */
export interface Closing {
  readonly ticket: TicketId;
  readonly phase: string;
  readonly at: Instant;
  readonly fingerprints: readonly string[];
  readonly target: Target | null;
}

/**
 * Takes the ticket off the desk. What is still active after a proven repair is a new fault and is filed by the next
 * report; after any other end somebody has decided on it, so it stays quiet until it has cleared.
 */
export function closeTicket(desk: DeskState, { ticket, phase, at, fingerprints, target }: Closing): DeskState {
  const closing = desk.tickets.find((open) => open.id === ticket);
  const tickets = desk.tickets.filter((open) => open.id !== ticket);
  if (phase === 'resolved')
    return { ...desk, tickets, resolved: [...desk.resolved, { ticket, target, fingerprints, at }] };
  return closing && closing.active.length > 0
    ? { ...desk, tickets: [...tickets, { ...closing, quiet: true }] }
    : { ...desk, tickets };
}

/** A closed ticket that runs again. */
export interface Reopening {
  readonly ticket: TicketId;
  readonly openedAt: Instant;
}

/**
 * Puts a closed ticket back on the desk. What stayed quiet because of it belongs to it again; everything else that is broken
 * by then is on other tickets.
 */
export function reopenTicket(desk: DeskState, { ticket, openedAt }: Reopening): DeskState {
  const quiet = desk.tickets.find((open) => open.id === ticket);
  const reopened = { id: ticket, openedAt, target: quiet?.target ?? null, active: quiet?.active ?? [] };
  return { ...desk, tickets: [...desk.tickets.filter((open) => open.id !== ticket), reopened] };
}

/** Tickets whose workflow runs. */
export const openTickets = (desk: DeskState): readonly OpenTicket[] => desk.tickets.filter((ticket) => !ticket.quiet);
