import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createIdentity, type Identity, readIdentity, usualIdentityFile } from '../config/identity.js';
import { PERSON_NAME } from '../config/people.js';
import { MedicError } from '../domain/errors.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { speaker } from './speaker.js';

export interface IdentityOptions {
  readonly file?: string;
  readonly json?: boolean;
}

/** The file that was asked for, or the usual one. */
export const identityPath = (asked: string | undefined): string =>
  resolve(asked ?? usualIdentityFile(process.env, homedir()));

/** `medic identity create`: a key pair, and the line for medic.yaml. */
export async function newIdentity(
  { name: asked, ...options }: IdentityOptions & { readonly name?: string },
  screen: Screen,
): Promise<number> {
  const name = asked ?? speaker(undefined).toLowerCase();
  if (!PERSON_NAME.test(name))
    throw new MedicError('MEDIC_USAGE', `\`${name}\` is no name like \`ana\``, 'Pass --name.');
  const path = identityPath(options.file);
  const identity = await createIdentity({ path, name });
  printIdentity(identity, { path, ...options }, screen);
  const repository = repositoryOf(path);
  if (repository) screen.err(`It lies in the repository ${repository}: never commit it.`);
  return EXIT.ok;
}

/** `medic identity show`: the same line again. */
export async function showIdentity(options: IdentityOptions, screen: Screen): Promise<number> {
  const path = identityPath(options.file);
  printIdentity(await identityAt(path), { path, ...options }, screen);
  return EXIT.ok;
}

async function identityAt(path: string): Promise<Identity> {
  const identity = await readIdentity(path);
  if (!identity) throw new MedicError('MEDIC_IDENTITY_UNREADABLE', `${path}  there is no such file`);
  return identity;
}

/** The private key stays in its file. */
function printIdentity(
  { name, publicKey }: Identity,
  { path, json }: { readonly path: string; readonly json?: boolean },
  screen: Screen,
): void {
  if (json) return printJson(screen, 'identity', { name, key: publicKey, file: path });
  screen.out(`- { name: ${name}, key: ${publicKey}, roles: [approver] }`);
  screen.err(`The private key is in ${path}, for you alone.`);
  screen.err('Put the line below `people:` in medic.yaml, with roles that are there (docs/approvals.md).');
}

function repositoryOf(path: string): string | null {
  const folder = dirname(path);
  if (existsSync(join(folder, '.git'))) return folder;
  return folder === path ? null : repositoryOf(folder);
}

/** Who signs an answer; `null`: nobody does, as there is no key in the usual place. */
export async function signer(asked: string | undefined): Promise<Identity | null> {
  return asked === undefined ? readIdentity(identityPath(undefined)) : identityAt(identityPath(asked));
}
