import { canonical } from './canonical.js';
import type { Instant, ProposalId } from './ids.js';

/**
 * What somebody answers to a proposal. A message may say more than this; whatever it says is signed with it, so nothing
 * that is added later goes unsigned.
 */
export interface Answer {
  readonly proposal: ProposalId;
  readonly answer: string;
  readonly by: string;
  readonly note: string;
  readonly basisHash: string;
  /** Until when it may be acted on. A signed answer always says so. */
  readonly expiresAt?: Instant;
  /** Ed25519 over `signedText`, 86 letters of base64url. Absent: it is anonymous, whatever `by` says. */
  readonly signature?: string;
}

/** A yes that counted when it was given. It is weighed again right before each step runs. */
export interface Approval extends Answer {
  readonly expiresAt: Instant;
}

/** Who has to say yes, by the configuration in force when the proposal was judged. */
export interface ApprovalNeed {
  /** Distinct people. Two for what cannot be taken back, and for what cannot be proven harmless. */
  readonly people: 1 | 2;
  /** One unsigned answer is enough. */
  readonly unsigned: boolean;
  /** Names of those whose signed answers count. */
  readonly who: readonly string[];
}

/** Whether those who may answer are enough. */
export const canBeMet = ({ people, unsigned, who }: ApprovalNeed): boolean => unsigned || who.length >= people;

/** `two people, of ana, ben, eva`, `anybody, unsigned too` */
export function tellNeed({ people, unsigned, who }: ApprovalNeed): string {
  if (unsigned) return 'anybody, unsigned too';
  const count = people === 2 ? 'two people' : 'one person';
  if (who.length === 0) return `${count}, and medic.yaml names nobody who may`;
  if (who.length < people) return `${count}, and medic.yaml names only ${who.join(', ')}`;
  return `${count} of ${who.join(', ')}`;
}

/** Told apart from everything else that the same key may ever sign. */
const PURPOSE = 'medic decision v1';

/**
 * The text that is signed: all that the answer says, and the run of the ticket it is said in, so that it counts for no
 * other ticket and not after a reset.
 */
export const signedText = (run: string, answer: Answer): string =>
  `${PURPOSE}\n${canonical({ ...answer, run, signature: undefined })}`;
