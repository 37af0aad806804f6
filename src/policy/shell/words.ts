import type * as bash from 'unbash';
import type { Word } from '../row.js';

/** Parts that bash replaces at run time. */
const DYNAMIC = new Set<bash.WordPart['type']>([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
  'BraceExpansion',
]);

/** A tilde at the beginning or after `=` and `:` is a home folder, known only at run time. */
const TILDE = /(^|[=:])~/;

/** One word of the parser as policy sees it: unquoted, with what only the run decides marked. */
export function readWord(word: bash.Word): Word {
  const parts = word.parts ?? [];
  return {
    text: word.value,
    dynamic: parts.some(isDynamic) || TILDE.test(word.text),
    multi: parts.some(isMulti),
  };
}

/** A word that is what it says. */
export const literal = (text: string): Word => ({ text, dynamic: false, multi: false });

/** What a carrier adds at run time (`xargs`): any number of words. */
export const ANYTHING: Word = { text: '…', dynamic: true, multi: true };

/** Neither expansion nor glob: bash passes exactly this text. */
export const isLiteral = (word: Word): boolean => !word.dynamic && !word.multi;

/** The text of a redirection's target, or of a variable's new value, with its expansions unexpanded. */
export function assignmentText(assignment: bash.Assignment): string {
  const value = assignment.value.type === 'Word' ? assignment.value.value : assignment.text;
  return `${assignment.name}=${value}`;
}

function isDynamic(part: bash.WordPart): boolean {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.some(isDynamic);
  return DYNAMIC.has(part.type);
}

function isMulti(part: bash.WordPart): boolean {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.some(isWholeList);
  if (part.type === 'ProcessSubstitution') return false;
  return DYNAMIC.has(part.type) || part.type === 'Glob' || part.type === 'ExtendedGlob';
}

/** `"$@"` and `"${list[@]}"` are several words even in quotes. */
const isWholeList = (part: bash.WordPart): boolean =>
  (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion') && part.text.includes('@');
