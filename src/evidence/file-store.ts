import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MedicError } from '../domain/errors.js';
import type { EvidenceStore } from './store.js';
import { writeAtomically } from './write-atomically.js';

/** Keeps each body in a file of its own: `<home>/evidence/ab/cdef...`, named by its SHA-256. */
export function createFileStore({ home }: { readonly home: string }): EvidenceStore {
  const fileOf = (sha256: string) => join(home, 'evidence', sha256.slice(0, 2), sha256.slice(2));

  return {
    async put(body) {
      const content = Buffer.from(body);
      const sha256 = hash(content);
      const path = fileOf(sha256);
      if (!(await holds(path, content))) await writeAtomically(path, content);
      return { sha256, bytes: content.length };
    },

    async get(sha256) {
      const content = isHash(sha256) ? await readIfThere(fileOf(sha256)) : null;
      if (!content)
        throw new MedicError('MEDIC_EVIDENCE_MISSING', `no evidence ${sha256} in ${join(home, 'evidence')}`);
      const found = hash(content);
      if (found !== sha256)
        throw new MedicError(
          'MEDIC_EVIDENCE_CORRUPT',
          `${fileOf(sha256)} holds ${content.length} bytes with hash ${found}`,
        );
      return content.toString('utf8');
    },

    async has(sha256) {
      return isHash(sha256) && (await exists(fileOf(sha256)));
    },
  };
}

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Also keeps a hash that comes from a message from naming a file elsewhere. */
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Compares contents, so that putting a body again mends a damaged file. */
async function holds(path: string, content: Buffer): Promise<boolean> {
  return (await readIfThere(path))?.equals(content) ?? false;
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw failure;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
