import type { OtherTicket } from './digest.js';
import type { Evidence } from './evidence.js';
import type { Expectation } from './expectation.js';
import { type Instant, parseTicketId, type Target, type TicketId } from './ids.js';
import type { NextStep } from './next-step.js';
import type { Violation } from './violation.js';

type Conclude = Extract<NextStep, { kind: 'conclude' }>;

/** What a conclusion is checked against; nothing of it comes from the reasoner. */
export interface Circumstances {
  readonly ticket: TicketId;
  /** What the ticket is about; `null`: nothing declared. */
  readonly target: Target | null;
  readonly evidence: readonly Evidence[];
  readonly firstActAt: Instant | null;
  /** What is broken in this turn's picture, without any grace. */
  readonly broken: readonly Violation[];
  /** Invariants that this picture could not judge. */
  readonly unknown: readonly string[];
  /** What code recognised in this picture. */
  readonly expected: readonly Expectation[];
  /** The other open tickets of the subject. */
  readonly others: readonly OtherTicket[];
}

export type Weighed =
  | { readonly accepted: true; readonly because: string }
  /** In words for the reasoner. */
  | { readonly accepted: false; readonly reason: string };

/**
 * May the ticket end without a repair? A claim closes nothing: each kind is accepted only when code sees for itself what
 * it says, and after an act only a proof ends a ticket.
 */
export function weighConclusion(step: Conclude, seen: Circumstances): Weighed {
  const reason = groundless(step, seen.evidence) ?? (seen.firstActAt ? ACTED : null);
  return reason ? refuse(reason) : weighKind(step, seen);
}

const ACTED = 'an act was started: only a proof can end this ticket';

function groundless({ evidence: cited }: Conclude, evidence: readonly Evidence[]): string | null {
  const known = new Set(evidence.map(({ id }) => id));
  const unknown = cited.filter((id) => !known.has(id));
  if (unknown.length === cited.length) return 'a conclusion must cite evidence of this ticket';
  return unknown.length > 0 ? `the conclusion cites evidence that does not exist: ${unknown.join(', ')}` : null;
}

function weighKind(step: Conclude, seen: Circumstances): Weighed {
  switch (step.conclusion) {
    case 'transient':
      return whenCalm(seen, 'not transient', '');
    case 'monitoring-fault':
      return whenCalm(seen, 'a monitoring fault', ': a person has to confirm it while it still shows; escalate');
    case 'expected':
      return weighExpected(step, seen);
    case 'duplicate':
      return weighDuplicate(step, seen);
  }
}

function whenCalm({ broken, unknown }: Circumstances, claim: string, advice: string): Weighed {
  if (broken.length > 0) return refuse(`${claim}: ${messages(broken)}${advice}`);
  if (unknown.length > 0) return refuse(`${claim}: ${unknown.join(', ')} could not be judged${advice}`);
  return accept('everything that files holds in the fresh picture');
}

/** What is critical is never as it should be, whoever asked for what led to it. */
function weighExpected({ expectation }: Conclude, { broken, expected, target }: Circumstances): Weighed {
  if (!expectation) return refuse('`expected` must say which expectation: planned-stop, cold-start or even-by-score');
  const recognised = expected.filter(({ kind }) => kind === expectation);
  const own = recognised.find((e) => e.target === null || target === null || e.target === target);
  if (!own) return refuse(`not expected: the picture shows no ${expectation}${target ? ` of ${target}` : ''}`);
  const critical = broken.filter(({ severity }) => severity === 'critical');
  if (critical.length > 0) return refuse(`not expected, it is critical: ${messages(critical)}`);
  const targets = new Set(recognised.map((e) => e.target));
  const beyond = broken.filter((v) => v.target !== null && !targets.has(v.target));
  if (beyond.length > 0) return refuse(`${expectation} does not explain: ${messages(beyond)}`);
  return accept(`${expectation}: ${own.reason}`);
}

/** Only of an older ticket, so that two cannot close as duplicates of each other. */
function weighDuplicate({ of }: Conclude, { ticket, target, others }: Circumstances): Weighed {
  if (!of) return refuse('`duplicate` must name the other ticket');
  const other = others.find((one) => one.ticket === of && one.ticket !== ticket);
  if (!other) return refuse(`not a duplicate: ${of} is no other open ticket of this subject`);
  if (target === null || other.target !== target)
    return refuse(`not a duplicate: ${of} is about ${other.target ?? 'no target'}, this one about ${target ?? 'none'}`);
  if (numberOf(of) > numberOf(ticket)) return refuse(`not a duplicate: ${of} is the younger one`);
  return accept(`${of} is open and about ${target}, too`);
}

const numberOf = (id: TicketId): number => parseTicketId(id)?.number ?? 0;

const messages = (violations: readonly Violation[]): string => violations.map((v) => v.message).join('; ');

const accept = (because: string): Weighed => ({ accepted: true, because });

const refuse = (reason: string): Weighed => ({ accepted: false, reason });
