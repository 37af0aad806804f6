import type { Instant, Target, TicketId } from './ids.js';
import { between } from './ids.js';
import type { Report, Violation } from './violation.js';

/** What the desk remembers of an open ticket. */
export interface OpenTicket {
  readonly id: TicketId;
  readonly openedAt: Instant;
  /** Declared target of its violations; `null` while it has only untargeted symptoms. */
  readonly target: Target | null;
  /** Every violation it was ever given that has not cleared. */
  readonly active: readonly Violation[];
  /**
   * Its workflow ended otherwise than resolved while something went on: somebody has decided on it. What belongs to it is
   * still gathered here and not filed again, until all of it has cleared once.
   */
  readonly quiet?: true;
}

/** What a report asks the desk to do, in this order. */
export interface Dispatch {
  readonly attach: readonly { readonly ticket: TicketId; readonly violations: readonly Violation[] }[];
  readonly open: readonly { readonly target: Target | null; readonly violations: readonly Violation[] }[];
  readonly clear: readonly { readonly ticket: TicketId; readonly violations: readonly Violation[] }[];
}

/** Untargeted symptoms belong to the oldest ticket that is not older than this. */
export const SYMPTOM_WINDOW_MS = 60_000;

/**
 * Turns one level-triggered report into work. Same declared target: same ticket. Untargeted symptoms: the oldest
 * ticket of the last minute, else one ticket of their own, which the first targeted violation of that minute joins.
 * Something clears only when its invariant was judged long enough and it is neither active nor suspect, or when the source
 * beside the patrol that told of it says that it is over.
 */
export function correlate(tickets: readonly OpenTicket[], report: Report): Dispatch {
  const known = new Set(tickets.flatMap((ticket) => ticket.active.map((v) => v.fingerprint)));
  const fresh = report.active.filter((violation) => !known.has(violation.fingerprint));
  const targets = [...new Set(fresh.flatMap((v) => (v.target === null ? [] : [v.target])))];
  const plan = new Plan(tickets, report.at);
  for (const target of targets)
    plan.place(
      target,
      fresh.filter((v) => v.target === target),
    );
  const untargeted = fresh.filter((v) => v.target === null);
  if (untargeted.length > 0) plan.placeSymptoms(untargeted);
  return { ...plan.result(), clear: cleared(tickets, report) };
}

function cleared(tickets: readonly OpenTicket[], report: Report): Dispatch['clear'] {
  const isClear = clearedBy(report);
  return tickets
    .map((ticket) => ({ ticket: ticket.id, violations: ticket.active.filter(isClear) }))
    .filter((entry) => entry.violations.length > 0);
}

function clearedBy(report: Report): (violation: Violation) => boolean {
  const held = new Set([...report.active.map((v) => v.fingerprint), ...report.suspect]);
  const judged = new Set(report.judged);
  const over = new Set(report.cleared);
  return ({ invariant, fingerprint }) => !held.has(fingerprint) && (judged.has(invariant) || over.has(fingerprint));
}

/** Collects placements, so that everything that belongs together opens one ticket. */
class Plan {
  private readonly attached = new Map<TicketId, Violation[]>();
  private readonly opened: { target: Target | null; violations: Violation[] }[] = [];
  private readonly adopted = new Set<TicketId>();

  constructor(
    private readonly tickets: readonly OpenTicket[],
    private readonly at: Instant,
  ) {}

  place(target: Target, violations: readonly Violation[]): void {
    const ticket = this.openFirst().find((t) => t.target === target) ?? this.recentSymptomTicket();
    if (!ticket) {
      this.opened.push({ target, violations: [...violations] });
      return;
    }
    if (ticket.target === null) this.adopted.add(ticket.id);
    this.attach(ticket.id, violations);
  }

  placeSymptoms(violations: readonly Violation[]): void {
    const ticket = this.recent().at(0);
    const [first] = this.opened;
    const old = this.openFirst().find((t) => t.target === null);
    if (ticket) this.attach(ticket.id, violations);
    else if (first) first.violations.push(...violations);
    else if (old) this.attach(old.id, violations);
    else this.opened.push({ target: null, violations: [...violations] });
  }

  result(): Pick<Dispatch, 'attach' | 'open'> {
    return { attach: [...this.attached].map(([ticket, violations]) => ({ ticket, violations })), open: this.opened };
  }

  private attach(ticket: TicketId, violations: readonly Violation[]): void {
    this.attached.set(ticket, [...(this.attached.get(ticket) ?? []), ...violations]);
  }

  private recent(): readonly OpenTicket[] {
    return this.openFirst().filter((ticket) => between(ticket.openedAt, this.at) <= SYMPTOM_WINDOW_MS);
  }

  /** Open ones before quiet ones, the oldest first. */
  private openFirst(): readonly OpenTicket[] {
    return [...this.tickets].sort(
      (a, b) => Number(a.quiet ?? false) - Number(b.quiet ?? false) || a.openedAt.localeCompare(b.openedAt),
    );
  }

  private recentSymptomTicket(): OpenTicket | undefined {
    return this.recent().find((ticket) => ticket.target === null && !this.adopted.has(ticket.id));
  }
}

/** The ticket after violations were given to it; an untargeted one takes the first declared target. */
export function withViolations(ticket: OpenTicket, violations: readonly Violation[]): OpenTicket {
  const names = new Set(ticket.active.map((v) => v.fingerprint));
  const added = violations.filter((v) => !names.has(v.fingerprint));
  const target = ticket.target ?? violations.find((v) => v.target !== null)?.target ?? null;
  return { ...ticket, target, active: [...ticket.active, ...added] };
}

/** The ticket after violations cleared. */
export function withoutViolations(ticket: OpenTicket, violations: readonly Violation[]): OpenTicket {
  const gone = new Set(violations.map((v) => v.fingerprint));
  return { ...ticket, active: ticket.active.filter((v) => !gone.has(v.fingerprint)) };
}
