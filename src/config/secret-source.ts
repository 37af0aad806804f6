import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { MedicError } from '../domain/errors.js';

/** Where a secret stands; never the secret itself, so that the file can be committed and shown. */
export const SecretSource = z
  .strictObject({ env: z.string().min(1).optional(), file: z.string().min(1).optional() })
  .refine(({ env, file }) => (env === undefined) !== (file === undefined), {
    message: 'must name either `env` or `file`',
  })
  .describe('a place of a secret');

export type SecretSource = z.infer<typeof SecretSource>;

/**
 * Reads a secret anew, so that a rotated one is in force at once. White space around it does not count.
 *
 * @throws MedicError `MEDIC_SECRET_MISSING` which names the place, never the value
 */
export async function readSecret(
  { env, file }: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const found = env === undefined ? await textOf(file ?? '') : environment[env];
  const secret = found?.trim();
  if (secret) return secret;
  throw new MedicError('MEDIC_SECRET_MISSING', env === undefined ? `the file ${file}` : `the variable ${env}`);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
