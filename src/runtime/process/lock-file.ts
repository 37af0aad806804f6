import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identityOf, isAlive, type ProcessIdentity } from './identity.js';

/** Who holds a lock, and since when (ISO time). */
export interface LockHolder extends ProcessIdentity {
  readonly since: string;
}

/** What came of {@link takeLock}: ours, or whose it is. */
export type LockAnswer =
  | { readonly taken: true; readonly release: () => void }
  | { readonly taken: false; readonly holder: LockHolder };

/**
 * Takes a lock for this process. It ends with its holder: the file of a dead process counts for nothing and is taken over.
 * The file appears with its content or not at all (hard link), so nobody reads half of it.
 *
 * @param file - in a folder that exists
 */
export function takeLock(file: string): LockAnswer {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, describeSelf(), { mode: 0o600 });
  try {
    return take({ file, draft });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The living holder of a lock, if there is one. */
export function lockHolder(file: string): LockHolder | undefined {
  const holder = parse(contentOf(file));
  return holder && isAlive(holder) ? holder : undefined;
}

function take({ file, draft }: { file: string; draft: string }): LockAnswer {
  for (;;) {
    if (appears({ file, draft })) return { taken: true, release: () => rmSync(file, { force: true }) };
    const found = contentOf(file);
    const holder = parse(found);
    if (holder && isAlive(holder)) return { taken: false, holder };
    removeIfStill({ file, found });
  }
}

function appears({ file, draft }: { file: string; draft: string }): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

// Another process may have taken over between our reading and our removing; then the file that we moved away is given back.
function removeIfStill({ file, found }: { file: string; found: string }): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (contentOf(aside) !== found) appears({ file, draft: aside });
  rmSync(aside, { force: true });
}

function describeSelf(): string {
  return `${JSON.stringify({ ...identityOf(), since: new Date().toISOString() })}\n`;
}

function parse(text: string): LockHolder | undefined {
  try {
    return JSON.parse(text) as LockHolder;
  } catch {
    return undefined;
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
