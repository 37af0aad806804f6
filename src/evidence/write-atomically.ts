import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MedicError } from '../domain/errors.js';

/**
 * Writes a file so that a reader, or a crash at any moment, finds the old content or the new one, never a part. It is
 * on disk when this returns. Folders are made as needed; only the owner may read them, as evidence can be confidential.
 *
 * @throws MedicError `MEDIC_DISK_FULL`; nothing of the new content is left behind
 */
export const writeAtomically = (path: string, content: string | Uint8Array): Promise<void> =>
  sayingFull(path, () => replace(path, content));

/** What `work` gives. Throws `MEDIC_DISK_FULL` where it fails for want of space for this file. */
export async function sayingFull<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (!NO_SPACE.includes(code)) throw failure;
    throw new MedicError('MEDIC_DISK_FULL', `${path} could not be written: no space is left (${code})`);
  }
}

/** Of the disk, or of what its owner may use of it. */
const NO_SPACE = ['ENOSPC', 'EDQUOT'];

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeThrough(draft, content);
    await rename(draft, path);
  } catch (failure) {
    await rm(draft, { force: true });
    throw failure;
  }
  await syncFolder(folder);
}

async function writeThrough(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
