import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { MedicError } from '../domain/errors.js';
import { publicKeyOf } from '../policy/signature.js';
import { PERSON_NAME } from './people.js';

/** Who signs: a name, and the key behind it. */
export interface Identity {
  readonly name: string;
  /** As it stands in medic.yaml. */
  readonly publicKey: string;
  readonly key: KeyObject;
}

const Written = z.strictObject({
  version: z.literal(1),
  name: z.string().regex(PERSON_NAME),
  publicKey: z.string(),
  privateKey: z.string(),
});

/** In the user's own configuration, so that no key ends in a repository. */
export const usualIdentityFile = (env: Readonly<Record<string, string | undefined>>, userHome: string): string =>
  join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'medic', 'identity.json');

/**
 * Makes a key pair and writes it for its owner alone (0600).
 *
 * @throws MedicError `MEDIC_IDENTITY_EXISTS` rather than overwrite anything, `MEDIC_IDENTITY_UNWRITABLE`
 */
export async function createIdentity({ path, name }: { path: string; name: string }): Promise<Identity> {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const identity: Identity = { name, publicKey: publicKeyOf(key), key };
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const text = JSON.stringify({ version: 1, name, publicKey: identity.publicKey, privateKey }, null, 2);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeNew(path, `${text}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new MedicError('MEDIC_IDENTITY_EXISTS', path);
    throw new MedicError('MEDIC_IDENTITY_UNWRITABLE', `${path}  ${message}`);
  }
  return identity;
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads an identity.
 *
 * @returns `null` when there is no such file
 * @throws MedicError `MEDIC_IDENTITY_UNREADABLE`, also when others may read the file; never with anything of its content
 */
export async function readIdentity(path: string): Promise<Identity | null> {
  const text = await readOwn(path);
  if (text === null) return null;
  const written = Written.safeParse(parsed(text));
  if (!written.success) return refuse(path, 'it is no identity');
  const { name, publicKey, privateKey } = written.data;
  const key = keyOf(privateKey);
  if (!key || publicKeyOf(key) !== publicKey) return refuse(path, 'its two keys do not belong together');
  return { name, publicKey, key };
}

async function readOwn(path: string): Promise<string | null> {
  try {
    const mode = (await stat(path)).mode & 0o777;
    if (mode & 0o077)
      return refuse(path, `others may read it (mode ${mode.toString(8)})`, `Run \`chmod 600 ${path}\`.`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof MedicError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : refuse(path, message);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function keyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function refuse(path: string, why: string, next?: string): never {
  throw new MedicError('MEDIC_IDENTITY_UNREADABLE', `${path}  ${why}`, next);
}
