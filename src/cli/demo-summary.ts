import type { Truth } from '../../chaos/protocol.js';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import type { TicketStatus } from '../../workflows/contract.js';
import { between, type Instant, type TicketId } from '../domain/ids.js';
import type { ProofResult } from '../domain/proof.js';
import type { TrailEvent } from '../domain/trail.js';

/** What `demo --summary FILE` writes. Times are ms since the fault was confirmed, `null` if not reached. */
export interface DemoSummary {
  readonly fault: string;
  readonly ticket: TicketId;
  readonly phase: string;
  readonly proof: ProofResult;
  readonly causeGone: boolean | 'unknown';
  /** From the injector's side, not Medic's. */
  readonly faultTruth: Truth;
  readonly detectMs: number | null;
  readonly repairMs: number | null;
  readonly provenMs: number | null;
  readonly looks: number;
  readonly acts: number;
  readonly reasoner: string;
  readonly turns: number;
  readonly profile: ProfileName;
}

export interface DemoFacts {
  readonly fault: string;
  readonly ticket: TicketId;
  readonly phase: string;
  readonly confirmedAt: Instant;
  readonly events: readonly TrailEvent[];
  readonly status: TicketStatus;
  readonly faultTruth: Truth;
  readonly profile: ProfileName;
}

export function summarise({
  fault,
  ticket,
  phase,
  confirmedAt,
  events,
  status,
  faultTruth,
  profile,
}: DemoFacts): DemoSummary {
  const since = (event: TrailEvent | undefined) => (event ? between(confirmedAt, event.at) : null);
  const thought = events.findLast((event) => event.type === 'thought');
  return {
    fault,
    ticket,
    phase,
    proof: status.proof?.result ?? 'unknown',
    causeGone: status.proof?.causeGone ?? 'unknown',
    faultTruth,
    detectMs: since(events.find((event) => event.type === 'filed')),
    repairMs: since(events.findLast((event) => event.type === 'acted' && event.outcome === 'ok')),
    provenMs: since(events.findLast((event) => event.type === 'proof' && event.result === 'healthy')),
    looks: status.spent.looks,
    acts: status.spent.acts,
    reasoner: thought?.type === 'thought' ? thought.reasoner : 'none',
    turns: status.spent.turns,
    profile,
  };
}

/** Resolved, proven, and the injector agrees. */
export const isWin = ({ phase, proof, faultTruth }: DemoSummary): boolean =>
  phase === 'resolved' && proof === 'healthy' && faultTruth === 'gone';
