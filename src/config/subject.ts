import * as z from 'zod';
import { AUTONOMY, type Autonomy } from '../policy/policy-file.js';
import { differ, name } from './name.js';
import { phrase } from './phrase.js';
import { SecretSource } from './secret-source.js';
import { dotted } from './yaml-source.js';

const ENDPOINT = 'must be an address like `https://10.0.1.4:2379`';
/** Origin only: paths are ours to choose, and a user name in an address would be a secret in the file. */
const Endpoint = z
  .string()
  .refine(isOrigin, { error: ENDPOINT })
  .transform((text) => new URL(text).origin);

/** PEM texts. Without `ca` those of the system are trusted; `cert` and `key` are for a PD that asks who calls. */
const Tls = z
  .strictObject({
    ca: SecretSource.optional(),
    cert: SecretSource.optional(),
    key: SecretSource.optional(),
    serverName: z.string().min(1).optional(),
  })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
    error: 'needs `cert` and `key` together',
  })
  .describe('the TLS of a PD');

const Pd = z
  .strictObject({
    endpoints: z.array(Endpoint).min(1),
    tls: Tls.optional(),
    /** Sent as `Authorization: Bearer`, for a proxy in front of PD. */
    token: SecretSource.optional(),
  })
  .superRefine(schemesFit)
  .describe('a PD');

const Host = z
  .strictObject({
    name: name('kv-1'),
    /** As PD and the stores are addressed, without a port; where `ssh` connects to. */
    address: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._:-]*$/, { error: 'must be a host name or an IP address' }),
    transport: z.enum(['none', 'local', 'ssh']).default('none'),
    /** Units of its service manager, like `tikv-20160`. */
    services: z
      .array(z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/, { error: 'must be the name of a unit' }))
      .default([]),
  })
  .describe('a host');

const Subject = z
  .strictObject({
    name: name('prod-east'),
    type: z.literal('tikv'),
    environment: name('production').refine((text) => text !== 'lab', {
      error: 'is kept for labs that Medic made itself',
    }),
    autonomy: z.enum(AUTONOMY).default('observe'),
    /** The file with what is pre-approved; its own environment and autonomy do not count here. */
    policy: z.string().min(1).optional(),
    pd: Pd,
    hosts: z.array(Host).default([]).superRefine(differ),
  })
  .superRefine(mayActByItself)
  .describe('a subject');

/** `subjects` of medic.yaml: the clusters under care. */
export const Subjects = z.array(Subject).default([]).superRefine(differ);

/** A cluster that Medic did not make. */
export type FleetSubject = z.infer<typeof Subject>;
export type FleetHost = z.infer<typeof Host>;
export type FleetPd = z.infer<typeof Pd>;

/** A subject that stands in no file; words that say what is wrong with it, if something is. */
export function parseSubject(described: object): FleetSubject | string {
  const result = Subject.safeParse(described, { error: (issue) => phrase(issue, new Map()) });
  if (result.success) return result.data;
  return result.error.issues.map(({ path, message }) => `${dotted(path)} ${message}`).join('; ');
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && pathname === '/' && search === '' && hash === '';
}

interface Reached {
  readonly endpoints: readonly string[];
  readonly tls?: object;
  readonly token?: object;
}

function schemesFit({ endpoints, tls, token }: Reached, context: z.RefinementCtx): void {
  for (const [index, endpoint] of endpoints.entries()) {
    const complain = (message: string) =>
      context.addIssue({ code: 'custom', path: ['endpoints', index], message, input: endpoint });
    if (!URL.canParse(endpoint) || endpoint.startsWith('https:')) continue;
    if (tls) complain('must begin with `https:` because `tls` is given');
    else if (endpoints.some((other) => other.startsWith('https:')))
      complain('must begin with `https:` as the others do');
    else if (token && !LOOPBACK.has(new URL(endpoint).hostname))
      complain('must begin with `https:`, or `token` would be sent in the clear');
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

function mayActByItself(
  { autonomy, policy }: { readonly autonomy: Autonomy; readonly policy?: string },
  context: z.RefinementCtx,
): void {
  if (autonomy !== 'playbooks' || policy !== undefined) return;
  const message = 'needs a `policy` that says what may run without a person';
  context.addIssue({ code: 'custom', path: ['autonomy'], message, input: autonomy });
}
