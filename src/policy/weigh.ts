import type { Answer, Approval } from '../domain/approval.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Instant } from '../domain/ids.js';
import { type Authority, type Matter, needOf, whyTwo } from './authority.js';
import { isSignedBy } from './signature.js';

/** What an answer is weighed by: the matter, and what exactly it has to name. */
export interface Scales {
  readonly authority: Authority;
  readonly matter: Matter;
  /** Run of the ticket in which it was asked. */
  readonly run: string;
  readonly proposal: string;
  readonly basisHash: string;
  readonly now: Instant;
}

export type Weight = { readonly ok: true } | { readonly ok: false; readonly code: ErrorCode; readonly reason: string };

/** Nobody can foresee a cluster for longer than that. */
const LONGEST_MS = 24 * 3_600_000;

/** Whether an answer counts. To say no is everybody's right, as long as nobody is named falsely. */
export function weigh(scales: Scales, answer: Answer): Weight {
  return (
    stale(scales, answer) ??
    forged(scales, answer) ??
    (answer.answer === 'approve' ? (expired(scales, answer) ?? unauthorised(scales, answer)) : null) ?? { ok: true }
  );
}

/** Those approvals that count now: the last of each person. */
export function standing(scales: Scales, approvals: readonly Approval[]): Approval[] {
  const counting = approvals.filter((each) => each.answer === 'approve' && weigh(scales, each).ok);
  return counting.filter((each, i) => !counting.slice(i + 1).some((later) => voice(later) === voice(each)));
}

/** All unsigned answers are one voice: nobody can tell who speaks. */
const voice = ({ by, signature }: Answer): string => (signature === undefined ? 'anonymous' : `person ${by}`);

/** Whether the approvals that stand are enough: an unsigned one, or as many people as are needed. */
export const isEnough = ({ authority, matter }: Scales, stand: readonly Approval[]): boolean =>
  stand.length >= needOf(authority, matter).people;

function stale({ proposal, basisHash }: Scales, answer: Answer): Weight | null {
  if (answer.proposal === proposal && answer.basisHash === basisHash) return null;
  return no('MEDIC_DECIDE_STALE', 'it names another proposal or basis');
}

function forged({ authority, run }: Scales, answer: Answer): Weight | null {
  if (answer.signature === undefined) return null;
  const person = authority.people.find(({ name }) => name === answer.by);
  if (!person) return no('MEDIC_DECIDE_UNKNOWN_PERSON', `medic.yaml names nobody called ${answer.by}`);
  if (isSignedBy({ run, answer, key: person.key })) return null;
  return no('MEDIC_DECIDE_FORGED', `the signature is not ${answer.by}'s over this answer in this run`);
}

function expired({ now }: Scales, { expiresAt, signature }: Answer): Weight | null {
  if (expiresAt === undefined && signature === undefined) return null;
  const leftMs = Date.parse(expiresAt ?? '') - Date.parse(now);
  if (Number.isNaN(leftMs)) return no('MEDIC_DECIDE_EXPIRED', 'it does not say until when it holds');
  if (leftMs <= 0) return no('MEDIC_DECIDE_EXPIRED', `it held until ${expiresAt}`);
  return leftMs > LONGEST_MS ? no('MEDIC_DECIDE_EXPIRED', 'it would hold for more than 24 h') : null;
}

function unauthorised({ authority, matter }: Scales, answer: Answer): Weight | null {
  if (matter.autonomy === 'observe')
    return no('MEDIC_POLICY_OBSERVE', `${matter.subject} is only observed, so nothing can be approved`);
  const { unsigned, who } = needOf(authority, matter);
  if (unsigned || (answer.signature !== undefined && who.includes(answer.by))) return null;
  const why = whyTwo(matter);
  const what = `${matter.steps.map(nameOf).join(', ')} on ${matter.subject}${why ? `: ${why}, so two people have to approve` : ''}`;
  return answer.signature === undefined
    ? no('MEDIC_DECIDE_UNSIGNED', `in environment ${matter.environment} an unsigned answer is not enough for ${what}`)
    : no('MEDIC_DECIDE_NOT_ALLOWED', `no role of ${answer.by} allows ${what}`);
}

const nameOf = ({ action }: Matter['steps'][number]): string => action ?? 'a command of its own';

const no = (code: ErrorCode, reason: string): Weight => ({ ok: false, code, reason });
