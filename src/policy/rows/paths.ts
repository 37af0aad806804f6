import type { Word } from '../row.js';
import { isLiteral } from '../shell/words.js';

/**
 * A path without its detours (`//`, `/./`, `/x/..`), so that two spellings of one place compare equal. Links are not
 * followed: policy is pure.
 */
export function normalise(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (segment !== '..' || !path.startsWith('/')) kept.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/');
}

/** `inner` is `outer` or lies below it; both normalised. */
export const isWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);

/** The folder that every expansion of a word lies in; the path itself when nothing is expanded. */
export function fixedPart(word: Word): string {
  const special = isLiteral(word) ? -1 : word.text.search(/[*?[@+!{$`~]/);
  if (special < 0) return normalise(word.text);
  return normalise(word.text.slice(0, word.text.lastIndexOf('/', special) + 1));
}

/** Where secrets, other processes' insides and raw devices are found under another name. */
const CLOSED = [
  /^\/proc\/[^/]+\/(root|cwd|exe|fd|fdinfo|mem|environ|map_files|task)(\/|$)/,
  /^\/proc\/(kcore|kmem|kallsyms|sysrq-trigger)/,
  /^\/dev\/(?!null$|zero$)/,
  /^\/etc\/(g?shadow|ssl\/private|sudoers)/,
  /\/\.(ssh|aws|azure|gnupg|kube|docker|config|netrc|pgpass|my\.cnf|bash_history|git-credentials)(\/|$)/,
  /\/id_(rsa|dsa|ecdsa|ed25519)$/,
];

/**
 * May a read open this path? It must be absolute, since the folder it would be read from is not part of the command,
 * and not lead where secrets are.
 */
export function isReadable(word: Word): boolean {
  if (word.text === '-') return true;
  if (word.dynamic || !word.text.startsWith('/')) return false;
  if (word.multi && /^\/(proc|dev)\b/.test(normalise(word.text))) return false;
  return !CLOSED.some((closed) => closed.test(normalise(word.text)));
}
