import type { Word } from '../row.js';
import type { Refusal } from './text.js';
import { checkName } from './variables.js';
import { isLiteral } from './words.js';

/**
 * Builtins that change what later words mean, read code from elsewhere, or evaluate text as code: bash runs
 * `$(reboot)` hidden in a subscript (`unset 'a[$(reboot)]'`), so quoting does not make their arguments harmless.
 */
const FORBIDDEN: Readonly<Record<string, string>> = {
  alias: 'it gives names another meaning',
  unalias: 'it gives names another meaning',
  source: 'it runs a script that is not shown here',
  '.': 'it runs a script that is not shown here',
  let: 'it evaluates text as code',
  declare: 'it evaluates text as code',
  typeset: 'it evaluates text as code',
  local: 'it evaluates text as code',
  readonly: 'it evaluates text as code',
  getopts: 'it sets variables that are decided at run time',
  mapfile: 'it can run code for each line',
  readarray: 'it can run code for each line',
  enable: 'it loads code into the shell',
  hash: 'it gives names another meaning',
  bind: 'it runs code on keys',
  complete: 'it evaluates text as code',
  compgen: 'it evaluates text as code',
  compopt: 'it evaluates text as code',
  shopt: 'it changes how the rest is parsed',
  fc: 'it runs commands of the history',
  history: 'it reads and writes files',
};

const CHECKS: Readonly<Record<string, (words: readonly Word[]) => Refusal | null>> = {
  export: (words) => checkNames(words, { flags: /^-p$/ }),
  unset: (words) => checkNames(words, { flags: /^-v$/ }),
  read: checkRead,
  printf: checkPrintf,
  test: checkTest,
  '[': (words) => checkTest(words.slice(0, -1)),
  set: checkSet,
  wait: (words) => every(words, (word) => /^(\d+|%\d+)$/.test(word.text) || word.text === '$!'),
};

/** Refuses a builtin whose arguments could run or redefine something that is not in the flattened list. */
export function checkBuiltin(program: string, args: readonly Word[]): Refusal | null {
  const why = Object.hasOwn(FORBIDDEN, program) ? FORBIDDEN[program] : undefined;
  if (why) return refuse(`\`${program}\` is not allowed: ${why}`);
  return Object.hasOwn(CHECKS, program) ? (CHECKS[program]?.(args) ?? null) : null;
}

function checkNames(words: readonly Word[], { flags }: { flags: RegExp }): Refusal | null {
  for (const word of words) {
    const name = word.text.replace(/=.*$/s, '');
    if (name.startsWith('-') && flags.test(name) && isLiteral(word)) continue;
    if (word.multi || name.includes('$')) return refuse('it sets a variable whose name is decided at run time');
    const refusal = checkName(name);
    if (refusal) return refusal;
  }
  return null;
}

/** `read -t`, `-n`, `-N`, `-d`, `-u` take a value; `-a` a name. */
function checkRead(words: readonly Word[]): Refusal | null {
  const names: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (!isLiteral(word)) return refuse('it sets a variable whose name is decided at run time');
    if (/^-[rs]*[tnNdu]$/.test(word.text)) at += 1;
    else if (!/^-[rs]+$/.test(word.text)) names.push(word);
  }
  return checkNames(names, { flags: /^-a$/ });
}

function checkPrintf([first]: readonly Word[]): Refusal | null {
  if (!first || first.text === '--') return null;
  const clear = !first.multi && !/^[-$`]/.test(first.text);
  return clear ? null : refuse('`printf` with an option, or a format decided at run time, can set any variable');
}

const BINARY = /^(=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** `test -v 'a[$(reboot)]'` runs `reboot`: the operator must be literal, and neither `-v` nor `-R`. */
function checkTest(words: readonly Word[]): Refusal | null {
  const rest = words[0]?.text === '!' && isLiteral(words[0]) && words.length > 1 ? words.slice(1) : words;
  if (rest.some((word) => word.multi)) return refuse('`test` with an unquoted expansion; quote it, or use [[ ]]');
  if (rest.every(isLiteral)) {
    return rest.some((word) => /^-[vR]$/.test(word.text)) ? refuse('`test -v` evaluates text as code') : null;
  }
  if (rest.length === 1) return null;
  const operator = rest.length === 2 ? rest[0] : rest[1];
  const known = rest.length === 2 ? /^-[a-uw-zA-QS-Z]$/ : BINARY;
  if (rest.length <= 3 && operator && isLiteral(operator) && known.test(operator.text)) return null;
  return refuse('`test` whose operator is decided at run time; use [[ ]]');
}

const SET_OPTION = /^([-+][euxf]*o?|pipefail|errexit|nounset|noglob)$/;

function checkSet(words: readonly Word[]): Refusal | null {
  const end = words.findIndex((word) => word.text === '--' && isLiteral(word));
  return every(end < 0 ? words : words.slice(0, end), (word) => isLiteral(word) && SET_OPTION.test(word.text));
}

function every(words: readonly Word[], allowed: (word: Word) => boolean): Refusal | null {
  const bad = words.find((word) => !allowed(word));
  return bad ? refuse(`\`${bad.text}\` is no argument that can be read for certain`) : null;
}

const refuse = (reason: string): Refusal => ({ code: 'MEDIC_POLICY_DYNAMIC_COMMAND', reason });
