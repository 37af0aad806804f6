import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Authority, Grant, Person } from '../../../src/policy/authority.js';
import { publicKeyOf } from '../../../src/policy/signature.js';

/** A person with a key of their own. */
export interface Keyed {
  readonly person: Person;
  readonly key: KeyObject;
}

export function keyed(name: string, ...roles: readonly string[]): Keyed {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  return { person: { name, key: publicKeyOf(key), roles }, key };
}

/** Roles of a team: who is on call, who may do more, and who is of another team. */
export const ROLES: Readonly<Record<string, Grant>> = {
  oncall: { approve: ['reversible'], subjects: ['lamp', 'tikv'] },
  lead: { approve: ['reversible', 'irreversible', 'unproven'], subjects: ['all'] },
  other: { approve: ['reversible', 'irreversible'], subjects: ['redis'] },
};

export const authorityOf = (people: readonly Keyed[], part: Partial<Authority> = {}): Authority => ({
  people: people.map(({ person }) => person),
  roles: ROLES,
  anonymous: null,
  autonomy: {},
  ...part,
});
