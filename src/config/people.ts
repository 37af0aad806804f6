import * as z from 'zod';
import { APPROVABLE, type Authority, type Grant } from '../policy/authority.js';
import { AUTONOMY } from '../policy/policy-file.js';
import { PUBLIC_KEY } from '../policy/signature.js';
import { closest } from './closest.js';

/** Names of people, which the command line takes for `--name` and `--by`, too. */
export const PERSON_NAME = /^[a-z][a-z0-9._-]{0,39}$/;

const SHORT = /^[a-z][a-z0-9-]{0,39}$/;
const Short = z.string().regex(SHORT, { error: 'must be a short name like `db-oncall`' });

const ACTION = 'must be `reversible`, `irreversible`, `unproven`, or the name of an action like `start-store`';
const Approvable = z.string().regex(SHORT, { error: ACTION }).superRefine(meant);
const Subjects = z.array(Short).min(1);

const Person = z
  .strictObject({
    name: z.string().regex(PERSON_NAME, { error: 'must be a name like `ana`' }),
    key: z.string().regex(PUBLIC_KEY, { error: 'must be a public key as `./medic identity show` prints it' }),
    roles: z.array(Short).min(1),
  })
  .describe('a person');

const Role = z.strictObject({ approve: z.array(Approvable).min(1), subjects: Subjects }).describe('a role');

const Anonymous = z
  .strictObject({ approve: z.array(Approvable).superRefine(forSomebody), subjects: Subjects.default(['all']) })
  .describe('what unsigned answers are enough for');

/** The part of medic.yaml that says who may answer, and how much runs without an answer. */
export const AUTHORITY = {
  people: z.array(Person).default([]),
  roles: z.record(z.string(), Role).default({}).superRefine(shortNames),
  anonymous: Anonymous.nullable().default(null),
  autonomy: z.record(z.string(), z.enum(AUTONOMY)).default({}).superRefine(shortNames),
};

type Read = z.infer<z.ZodObject<typeof AUTHORITY>>;

/** Of what was read, that part which says who may do what. */
export const toAuthority = ({ people, roles, anonymous, autonomy }: Read): Authority => ({
  people,
  roles,
  anonymous,
  autonomy,
});

/**
 * What only shows when people and roles are seen together. Two people with one key could not be told apart, so one
 * could approve for both.
 */
export function checkPeople({ people, roles }: Pick<Read, 'people' | 'roles'>, context: z.RefinementCtx): void {
  for (const [index, person] of people.entries()) {
    const before = people.slice(0, index);
    if (before.some(({ name }) => name === person.name))
      complain(context, { path: ['people', index, 'name'], message: 'is the name of another one', input: person.name });
    if (before.some(({ key }) => key === person.key))
      complain(context, { path: ['people', index, 'key'], message: 'is the key of another one', input: person.key });
    for (const [place, role] of person.roles.entries())
      if (!Object.hasOwn(roles, role))
        complain(context, { path: ['people', index, 'roles', place], message: noRole(role, roles), input: role });
  }
}

function noRole(role: string, roles: Readonly<Record<string, Grant>>): string {
  const near = closest(role, Object.keys(roles));
  return `must be one of \`roles\`${near ? ` (did you mean \`${near}\`?)` : ''}`;
}

/** A kind that is misspelt would else pass for an action that nobody has. */
function meant(word: string, context: z.RefinementCtx): void {
  if ((APPROVABLE as readonly string[]).includes(word)) return;
  const near = closest(word, APPROVABLE);
  if (near) complain(context, { message: `must be an action or a kind (did you mean \`${near}\`?)`, input: word });
}

/** These take two people, who must be told apart. */
function forSomebody(words: readonly string[], context: z.RefinementCtx): void {
  for (const [index, word] of words.entries())
    if (word === 'irreversible' || word === 'unproven')
      complain(context, { path: [index], message: 'takes two people whose answers are signed', input: word });
}

function shortNames(named: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const name of Object.keys(named).filter((each) => !SHORT.test(each)))
    complain(context, { path: [name], message: 'must be a short name like `db-oncall`', input: name });
}

const complain = (
  context: z.RefinementCtx,
  issue: { readonly message: string; readonly input: unknown; readonly path?: PropertyKey[] },
): void => context.addIssue({ code: 'custom', ...issue });
