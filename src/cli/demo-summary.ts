import type { RightEnd, Truth } from '../../chaos/protocol.js';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import type { TicketStatus } from '../../workflows/contract.js';
import { between, type Instant, type TicketId } from '../domain/ids.js';
import type { ProofResult } from '../domain/proof.js';
import type { TrailEvent } from '../domain/trail.js';

/** How it ended, from the injector's side, too. `other`: none of these. */
export type DemoEndKind = RightEnd['kind'] | 'other';

/** What `demo --summary FILE` writes. Times are ms since the fault was confirmed, `null` if not reached. */
export interface DemoSummary {
  readonly fault: string;
  /** `null`: none was filed; then `phase` is `none`. */
  readonly ticket: TicketId | null;
  readonly phase: string;
  readonly end: DemoEndKind;
  /** It is the end that this fault has to have. */
  readonly right: boolean;
  readonly proof: ProofResult;
  readonly causeGone: boolean | 'unknown';
  /** From the injector's side, not Medic's. */
  readonly faultTruth: Truth;
  readonly detectMs: number | null;
  /** The last act of a repair that was proven. */
  readonly repairMs: number | null;
  readonly provenMs: number | null;
  readonly looks: number;
  readonly acts: number;
  readonly reasoner: string;
  readonly turns: number;
  readonly profile: ProfileName;
}

/** The fault that was injected. */
export interface DemoFault {
  readonly fault: string;
  readonly rightEnd: RightEnd;
  readonly faultTruth: Truth;
  readonly profile: ProfileName;
}

export interface DemoFacts extends DemoFault {
  readonly ticket: TicketId;
  readonly phase: string;
  readonly confirmedAt: Instant;
  readonly events: readonly TrailEvent[];
  readonly status: TicketStatus;
}

export function summarise(facts: DemoFacts): DemoSummary {
  const { fault, ticket, phase, confirmedAt, events, status, faultTruth, profile } = facts;
  const since = (event: TrailEvent | undefined) => (event ? between(confirmedAt, event.at) : null);
  const thought = events.findLast((event) => event.type === 'thought');
  return {
    fault,
    ticket,
    phase,
    end: endOf(facts),
    right: isRight(endOf(facts), facts),
    proof: status.proof?.result ?? 'unknown',
    causeGone: status.proof?.causeGone ?? 'unknown',
    faultTruth,
    detectMs: since(events.find((event) => event.type === 'filed')),
    repairMs:
      endOf(facts) === 'repaired'
        ? since(events.findLast((event) => event.type === 'acted' && event.outcome === 'ok'))
        : null,
    provenMs: since(events.findLast((event) => event.type === 'proof' && event.result === 'healthy')),
    looks: status.spent.looks,
    acts: status.spent.acts,
    reasoner: thought?.type === 'thought' ? thought.reasoner : 'none',
    turns: status.spent.turns,
    profile,
  };
}

/** Of a demo in which no ticket was filed. */
export const summariseQuiet = ({ fault, rightEnd, faultTruth, profile }: DemoFault): DemoSummary => ({
  ...{ fault, ticket: null, phase: 'none', proof: 'unknown', causeGone: 'unknown', faultTruth },
  end: faultTruth === 'gone' ? 'no-ticket' : 'other',
  right: faultTruth === 'gone' && (rightEnd.kind === 'no-ticket' || rightEnd.kind === 'self-cleared'),
  ...{ detectMs: null, repairMs: null, provenMs: null, looks: 0, acts: 0, reasoner: 'none', turns: 0, profile },
});

/** It ended as it had to. */
export const isWin = ({ right }: DemoSummary): boolean => right;

function endOf({ phase, status, faultTruth }: DemoFacts): DemoEndKind {
  const isGone = faultTruth === 'gone';
  if (phase === 'escalated') return 'escalated';
  if (phase === 'resolved' && status.proof?.result === 'healthy' && isGone) return 'repaired';
  const clearedAlone = phase === 'self-cleared' || phase === 'no-fault';
  return clearedAlone && status.spent.acts === 0 && isGone ? 'self-cleared' : 'other';
}

/** A brief that names another cause sends its reader the wrong way. */
function isRight(end: DemoEndKind, { rightEnd, status }: DemoFacts): boolean {
  if (end !== rightEnd.kind) return false;
  return rightEnd.kind !== 'escalated' || (status.brief ?? '').includes(` needs a person: ${rightEnd.cause}/`);
}
