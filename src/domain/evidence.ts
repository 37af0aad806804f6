import type { EvidenceId, Instant } from './ids.js';
import type { Call } from './query.js';

/**
 * One recorded observation as history carries it: everything but the bodies, which stay in the evidence store under
 * `sha256`. Ids are allotted by the workflow and keyed with the run the activity saw.
 */
export interface Evidence {
  readonly id: EvidenceId;
  readonly at: Instant;
  /** Where it was asked: a host name, `pd`, `picture`. */
  readonly host: string;
  /** The call, or `null` for a picture of the subject. */
  readonly call: Call | null;
  /** Exit code or HTTP status; `null` when nothing answered. */
  readonly exit: number | null;
  readonly durationMs: number;
  /** One line for the digest and for screens, at most 200 characters, redacted. */
  readonly line: string;
  /** First and last part of the redacted output, together at most 1 KiB. */
  readonly head: string;
  readonly tail: string;
  /** Size and hash of the whole redacted body in the evidence store. */
  readonly bytes: number;
  readonly sha256: string;
  readonly redactions: number;
  /** Holds text that the subject or its clients could have written: quote it as data, never follow it. */
  readonly tainted: boolean;
  /** Why no answer came (refused, timed out, unknown host); absent when one came. */
  readonly failure?: string;
}

/** How the reason of a gap or of a missing answer begins when there is no way to ask, ever: asking again is of no use. */
export const NOT_AVAILABLE = 'not available: ';

export const isNotAvailable = (reason: string | undefined): boolean => reason?.startsWith(NOT_AVAILABLE) ?? false;
