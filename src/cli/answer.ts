import type { Decision, TicketStatus } from '../../workflows/contract.js';
import { MedicError } from '../domain/errors.js';
import { instant } from '../domain/ids.js';
import { signed } from '../policy/signature.js';
import { signer } from './identity.js';
import { speaker } from './speaker.js';

/** How a person answers. */
export interface AnswerOptions {
  /** Only where nothing is signed. */
  readonly by?: string;
  /** File of the identity that signs; default: the usual one, if there is one. */
  readonly identity?: string;
  readonly unsigned?: boolean;
  /** How long it may be acted on, ms. */
  readonly for?: number;
}

export interface Said {
  /** The present proposal. */
  readonly pending: NonNullable<TicketStatus['pending']>;
  readonly said: Omit<Decision, 'by' | 'proposal' | 'basisHash' | 'expiresAt' | 'signature'>;
  /** ms */
  readonly now: number;
}

/**
 * An answer to the present proposal, bound to its basis and its run, signed if there is an identity.
 *
 * @throws MedicError `MEDIC_IDENTITY_UNREADABLE`, or `MEDIC_USAGE` when `--by` names somebody else than the identity
 */
export async function answerAs(options: AnswerOptions, { pending, said, now }: Said): Promise<Decision> {
  const expiresAt = holdsUntil(options, { pending, now });
  const answer = { ...said, proposal: pending.proposal.id, basisHash: pending.basisHash, expiresAt };
  const identity = options.unsigned ? null : await signer(options.identity);
  if (!identity) return { ...answer, by: speaker(options.by) };
  if (options.by !== undefined && options.by !== identity.name) throw otherName(options.by, identity.name);
  return signed({ run: pending.run, answer: { ...answer, by: identity.name }, key: identity.key });
}

const otherName = (by: string, name: string): MedicError =>
  new MedicError(
    'MEDIC_USAGE',
    `the identity is ${name}'s, so ${by} cannot sign with it`,
    'Pass --unsigned, or leave out --by.',
  );

const USUAL_MS = 15 * 60_000;
/** A little less than the longest that counts, as clocks differ. */
const LONGEST_MS = 23 * 3_600_000;

/** Unless it is said: as long as the proposal waits, since a second person may be needed, and at least a quarter of an hour. */
function holdsUntil({ for: forMs }: AnswerOptions, { pending, now }: Pick<Said, 'pending' | 'now'>): string {
  if (forMs !== undefined) return instant(now + forMs);
  const waitsMs = Date.parse(pending.expiresAt ?? '') - now;
  return instant(now + Math.min(LONGEST_MS, Math.max(USUAL_MS, waitsMs || 0)));
}
