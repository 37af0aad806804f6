import type { Word } from '../row.js';
import type { Carried } from './carried.js';
import type { Shell } from './dialect.js';
import { isLiteral } from './words.js';

const LONG = /^--(noprofile|norc|posix)$/;
const LETTERS = /^[-+][euxfnvc]*$/;
const SET_NAMES = /^(pipefail|errexit|nounset|noglob|noexec|xtrace|verbose)$/;

/**
 * `bash -c SCRIPT`, read as bash reads it: all options first, then the script. A shell that would read its script from
 * a file or from standard input is unclear.
 */
export function runShell(args: readonly Word[], shell: Shell): Carried {
  const options = readShellOptions(args);
  if (!options) return unclear(`an option of ${shell} that Medic does not read`);
  if (!options.fromText) return unclear('it would run a script from a file or from standard input');
  const script = args[options.next];
  if (!script) return unclear('it has no script');
  // Words behind the script are its `$0`, `$1`, ...: values, not code.
  if (!args.slice(0, options.next + 1).every(isLiteral)) return unclear('its script is put together at run time');
  return { kind: 'runs', transparent: true, runs: [{ kind: 'script', text: script.text, shell }] };
}

function readShellOptions(args: readonly Word[]): { fromText: boolean; next: number } | null {
  let fromText = false;
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text ?? '';
    if (text === '--' || text === '-') return { fromText, next: at + 1 };
    if (/^[-+][euxfnv]*o$/.test(text)) {
      at += 1;
      if (!SET_NAMES.test(args[at]?.text ?? '')) return null;
    } else if (LETTERS.test(text)) fromText ||= text.startsWith('-') && text.includes('c');
    else if (!LONG.test(text)) return /^[-+]/.test(text) ? null : { fromText, next: at };
  }
  return { fromText, next: at };
}

const unclear = (reason: string): Carried => ({ kind: 'unclear', reason });
