import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive, type ProcessIdentity } from './process-look.js';

/** The process that holds a lock, when another one does. */
export type LockAnswer = { readonly taken: true } | { readonly taken: false; readonly holder: ProcessIdentity };

/**
 * Takes a lock that ends with its holder: the file names a process, and a file of a dead one counts for nothing.
 * Made by hard link, so that it appears with its content or not at all.
 */
export function takeLock({ file, self }: { file: string; self: ProcessIdentity }): LockAnswer {
  const draft = `${file}.${self.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
  try {
    return take({ file, draft });
  } finally {
    rmSync(draft, { force: true });
  }
}

function take({ file, draft }: { file: string; draft: string }): LockAnswer {
  for (;;) {
    if (links({ file, draft })) return { taken: true };
    const holder = holderOf(file);
    if (holder !== undefined && isAlive(holder)) return { taken: false, holder };
    rmSync(file, { force: true });
  }
}

function links({ file, draft }: { file: string; draft: string }): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
