import type { Cause } from './cause.js';
import type { Evidence } from './evidence.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId, HypothesisId, Instant, TicketId } from './ids.js';
import type { Conclusion } from './next-step.js';
import type { Move, Phase } from './phases.js';
import type { ProofResult, ProofSample } from './proof.js';
import type { Proposal, Ruling } from './proposal.js';
import type { Violation } from './violation.js';

/** What happened, one event each, in the order in which it happened. The only record that screens and reports read. */
export type TrailEvent = { readonly seq: number; readonly at: Instant } & Happening;

export type Happening =
  | {
      readonly type: 'filed';
      readonly ticket: TicketId;
      readonly violations: readonly Violation[];
      readonly recurrenceOf: TicketId | null;
    }
  | { readonly type: 'moved'; readonly from: Phase; readonly to: Phase; readonly why: Move; readonly because: string }
  | { readonly type: 'sighted'; readonly violations: readonly Violation[] }
  | { readonly type: 'cleared'; readonly violations: readonly Violation[] }
  | { readonly type: 'turn'; readonly turn: number; readonly run: string }
  /** The turn is done again, in this run. */
  | { readonly type: 'reset'; readonly turn: number; readonly run: string }
  | { readonly type: 'picture'; readonly evidence: EvidenceId; readonly lines: readonly string[] }
  | { readonly type: 'looked'; readonly why: string; readonly evidence: readonly Evidence[] }
  | {
      readonly type: 'thought';
      readonly reasoner: string;
      readonly model: string | null;
      readonly board: readonly Hypothesis[];
      readonly next: string;
      readonly usd: number;
      /** What a person should know about how it came about. */
      readonly notes?: readonly string[];
      /** `system@1 on-call-triage@2` */
      readonly prompt?: string;
    }
  | {
      readonly type: 'returned';
      /** What went back to the reasoner; absent: a proposal. */
      readonly about?: 'hypothesis' | 'conclusion' | 'repetition';
      readonly missing: readonly string[];
    }
  | { readonly type: 'proposed'; readonly proposal: Proposal }
  | {
      readonly type: 'ruled';
      readonly proposal: number;
      readonly ruling: Ruling;
      readonly steps: readonly { readonly commands: readonly string[]; readonly ruling: Ruling }[];
      readonly basisHash: string;
      readonly margin: string;
    }
  | {
      readonly type: 'asked';
      readonly proposal: number;
      readonly question: string;
      readonly expiresAt: Instant | null;
      /** Who has to say yes, in words. */
      readonly needs?: string;
      /** What changed since a person last saw this plan, one line each; absent: it was not seen before. */
      readonly changes?: readonly string[];
    }
  | {
      readonly type: 'decided';
      readonly proposal: number;
      readonly answer: 'approve' | 'deny';
      readonly by: string;
      readonly note: string;
      /** Absent in histories from before answers were signed. */
      readonly signed?: boolean;
      /** Of approvals, where more than one is needed. */
      readonly count?: { readonly have: number; readonly need: number };
    }
  /** An answer that did not count, and why. */
  | {
      readonly type: 'unauthorised';
      readonly proposal: number;
      readonly answer: string;
      readonly by: string;
      readonly code: string;
      readonly reason: string;
    }
  /** A person answered with other steps, which became a proposal of their own. */
  | {
      readonly type: 'amended';
      readonly proposal: number;
      readonly to: number;
      readonly by: string;
      readonly note: string;
    }
  /** A person has it: Medic watches, proposes nothing and does nothing. */
  | { readonly type: 'taken'; readonly by: string; readonly reason: string }
  /** Nobody answered for so long that more people were told. */
  | { readonly type: 'told'; readonly who: readonly string[]; readonly waitingFor: string }
  | { readonly type: 'stale'; readonly message: string; readonly reason: string }
  | { readonly type: 'hint'; readonly by: string; readonly text: string }
  | { readonly type: 'gate'; readonly granted: boolean; readonly reason: string }
  | {
      readonly type: 'acted';
      readonly proposal: number;
      readonly step: number;
      readonly command: string;
      readonly outcome: 'ok' | 'failed' | 'refused' | 'unknown';
      readonly exit: number | null;
      readonly journal: string;
      readonly reason: string;
    }
  | { readonly type: 'settled'; readonly journal: string; readonly done: boolean; readonly reason: string }
  | { readonly type: 'sampled'; readonly sample: ProofSample; readonly inRow: number; readonly needed: number }
  | {
      readonly type: 'confirmed';
      readonly hypothesis: HypothesisId;
      readonly cause: Cause;
      readonly evidence: readonly EvidenceId[];
    }
  | { readonly type: 'proof'; readonly result: ProofResult; readonly reason: string; readonly overMs: number }
  | { readonly type: 'undid'; readonly step: number; readonly command: string; readonly outcome: string }
  | {
      readonly type: 'concluded';
      readonly conclusion: Conclusion;
      readonly why: string;
      readonly evidence: readonly EvidenceId[];
    }
  | { readonly type: 'reminded'; readonly waitingFor: string }
  | { readonly type: 'escalated'; readonly reason: string; readonly brief: string }
  | { readonly type: 'closed'; readonly phase: Phase; readonly by: string; readonly note: string }
  | { readonly type: 'archived'; readonly report: string };

/** State and queries hold this many events at most; the archive and the history hold all. */
export const MAX_TRAIL = 600;

/** The bounded trail of one ticket. */
export interface Trail {
  readonly events: readonly TrailEvent[];
  /** Number of the next event, counted from 1. */
  readonly nextSeq: number;
}

export const EMPTY_TRAIL: Trail = { events: [], nextSeq: 1 };

/** Adds one event; the oldest goes when the trail is full. */
export function extend(trail: Trail, at: Instant, happening: Happening): { trail: Trail; event: TrailEvent } {
  const event: TrailEvent = { seq: trail.nextSeq, at, ...happening };
  const kept = trail.events.length >= MAX_TRAIL ? trail.events.slice(1) : trail.events;
  return { trail: { events: [...kept, event], nextSeq: trail.nextSeq + 1 }, event };
}
