import type { Word } from '../row.js';
import { isLiteral } from './words.js';

/** Options of one program that may appear. Everything that is not listed is unknown, so nothing slips through. */
export interface OptionSpec {
  /** Letters without a value, clustered as in `-abc`. */
  readonly flags?: string;
  /** Letters with a value, as in `-n5` or `-n 5`. */
  readonly valued?: string;
  /** Long options without a value, without their dashes. */
  readonly longs?: readonly string[];
  /** Long options with a value, as in `--lines=5` or `--lines 5`. */
  readonly longValued?: readonly string[];
  /** `-20` is an option too; it comes under the name `#`. */
  readonly digits?: true;
  /** `mixed`: options may also stand behind operands, as GNU programs allow. Default `first`: POSIX order. */
  readonly order?: 'first' | 'mixed';
}

/** One option as given; `value` is `null` for options without one. */
export interface Given {
  readonly name: string;
  readonly value: string | null;
}

export interface Options {
  readonly given: readonly Given[];
  readonly operands: readonly Word[];
}

/**
 * Splits an argv (without its program) into options and operands.
 *
 * @returns `null` when an option is unknown, or when only the run decides whether a word is an option
 */
export function readOptions(words: readonly Word[], spec: OptionSpec): Options | null {
  const given: Given[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] as Word;
    if (word.text === '--' && isLiteral(word)) return { given, operands: [...operands, ...words.slice(at + 1)] };
    if (isOperand(word)) {
      if (spec.order !== 'mixed') return { given, operands: words.slice(at) };
      operands.push(word);
      at += 1;
      continue;
    }
    const read = isLiteral(word) ? readOne(words, at, spec) : null;
    if (!read) return null;
    given.push(...read.given);
    at = read.next;
  }
  return { given, operands };
}

/** A glob that begins with a slash expands to paths, never to an option; `-` alone is standard input. */
function isOperand(word: Word): boolean {
  if (isLiteral(word)) return word.text === '-' || !word.text.startsWith('-');
  return !word.dynamic && word.text.startsWith('/');
}

interface Read {
  readonly given: readonly Given[];
  readonly next: number;
}

function readOne(words: readonly Word[], at: number, spec: OptionSpec): Read | null {
  return words[at]?.text.startsWith('--') ? readLong(words, at, spec) : readShort(words, at, spec);
}

function readLong(words: readonly Word[], at: number, spec: OptionSpec): Read | null {
  const text = words[at]?.text.slice(2) ?? '';
  const equals = text.indexOf('=');
  if (equals < 0 && spec.longs?.includes(text)) return { given: [{ name: text, value: null }], next: at + 1 };
  const name = equals < 0 ? text : text.slice(0, equals);
  if (!spec.longValued?.includes(name)) return null;
  if (equals >= 0) return { given: [{ name, value: text.slice(equals + 1) }], next: at + 1 };
  return takeNext(words, at, { name, before: [] });
}

function readShort(words: readonly Word[], at: number, spec: OptionSpec): Read | null {
  const letters = words[at]?.text.slice(1) ?? '';
  if (spec.digits && /^\d+$/.test(letters)) return { given: [{ name: '#', value: letters }], next: at + 1 };
  const before: Given[] = [];
  for (let i = 0; i < letters.length; i += 1) {
    const name = letters.charAt(i);
    if (spec.valued?.includes(name)) {
      const rest = letters.slice(i + 1);
      if (rest === '') return takeNext(words, at, { name, before });
      return { given: [...before, { name, value: rest }], next: at + 1 };
    }
    if (!spec.flags?.includes(name)) return null;
    before.push({ name, value: null });
  }
  return { given: before, next: at + 1 };
}

function takeNext(words: readonly Word[], at: number, option: { name: string; before: readonly Given[] }): Read | null {
  const next = words[at + 1];
  if (!next || !isLiteral(next)) return null;
  return { given: [...option.before, { name: option.name, value: next.text }], next: at + 2 };
}
