import type { ApprovalNeed } from '../domain/approval.js';
import type { RulingKind, Step } from '../domain/proposal.js';
import type { Autonomy } from './policy-file.js';

/** What a role may be given: steps that can be taken back (or take nothing away), others, and the doubtful. */
export const APPROVABLE = ['reversible', 'irreversible', 'unproven'] as const;

/** What may be approved, and of which subjects. */
export interface Grant {
  /** Words of `APPROVABLE`, or names of actions of the catalogue. */
  readonly approve: readonly string[];
  /** Names of subjects; `all`: every one. */
  readonly subjects: readonly string[];
}

/** Somebody who may answer. */
export interface Person {
  readonly name: string;
  /** `ed25519:...` */
  readonly key: string;
  readonly roles: readonly string[];
}

/** Who may say yes to what; of medic.yaml. */
export interface Authority {
  readonly people: readonly Person[];
  readonly roles: Readonly<Record<string, Grant>>;
  /** What unsigned answers are enough for; `null`: reversible steps in environment `lab`, nothing elsewhere. */
  readonly anonymous: Grant | null;
  /** Lowers the autonomy of a subject. */
  readonly autonomy: Readonly<Record<string, Autonomy>>;
}

/** Of an installation without medic.yaml. */
export const NOBODY: Authority = { people: [], roles: {}, anonymous: null, autonomy: {} };

/** What has to be approved. */
export interface Matter {
  readonly subject: string;
  readonly environment: string;
  /** As it is in force for the subject. */
  readonly autonomy: Autonomy;
  readonly ruling: RulingKind;
  readonly steps: readonly Pick<Step, 'action' | 'inverse'>[];
}

/** Who has to say yes. A subject that is only observed can be approved by nobody. */
export function needOf(authority: Authority, matter: Matter): ApprovalNeed {
  const people = whyTwo(matter) === null ? 1 : 2;
  if (matter.autonomy === 'observe') return { people, unsigned: false, who: [] };
  const unsigned = people === 1 && covers([anonymous(authority, matter)], matter);
  const who = authority.people.filter((person) => covers(grantsOf(authority, person), matter));
  return { people, unsigned, who: who.map(({ name }) => name) };
}

/** Why one person is not enough; `null`: one is. */
export function whyTwo({ steps, ruling }: Matter): string | null {
  const final = steps.findIndex(isIrreversible);
  if (final >= 0) return `step ${final + 1} cannot be taken back`;
  return ruling === 'unproven' ? 'it cannot be proven harmless' : null;
}

const grantsOf = ({ roles }: Authority, person: Person): Grant[] =>
  person.roles.flatMap((role) => (Object.hasOwn(roles, role) ? [roles[role] as Grant] : []));

const NOTHING: Grant = { approve: [], subjects: [] };
const IN_THE_LAB: Grant = { approve: ['reversible'], subjects: ['all'] };

const anonymous = (authority: Authority, { environment }: Matter): Grant =>
  authority.anonymous ?? (environment === 'lab' ? IN_THE_LAB : NOTHING);

/** Every step by its action or its kind; and what is doubtful only as a whole, if all of it can be taken back. */
function covers(grants: readonly Grant[], { subject, steps, ruling }: Matter): boolean {
  const words = new Set(
    grants
      .filter(({ subjects }) => subjects.includes('all') || subjects.includes(subject))
      .flatMap(({ approve }) => approve),
  );
  const isCovered = (step: Matter['steps'][number]) =>
    words.has(isIrreversible(step) ? 'irreversible' : 'reversible') || (step.action !== null && words.has(step.action));
  if (!steps.every(isCovered)) return false;
  return ruling !== 'unproven' || (words.has('unproven') && !steps.some(isIrreversible));
}

const isIrreversible = ({ inverse }: Pick<Step, 'inverse'>): boolean => inverse.kind === 'irreversible';
