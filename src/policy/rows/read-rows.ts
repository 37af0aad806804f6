import type { Argv, CommandClass, CommandRow, Word } from '../row.js';
import { type Given, type OptionSpec, type Options, readOptions } from '../shell/options.js';
import { isLiteral } from '../shell/words.js';
import { isReadable } from './paths.js';

const READ: CommandClass = { kind: 'read' };

/** What the operands of a reading program are. `pattern`: text first, then paths. */
type Operands = 'paths' | 'text' | 'pattern' | 'none';

interface ReadSpec extends OptionSpec {
  readonly operands: Operands;
  /** More operands than this are not read (`uniq IN OUT` writes its second). */
  readonly most?: number;
  /** A further condition on the options as given. */
  readonly only?: (given: readonly Given[], operands: readonly Word[]) => boolean;
}

/**
 * Programs that only read, with exactly the arguments that can neither write nor run anything nor run for ever. An
 * option that is not in this table makes the command a mutation of unknown reach.
 */
const SPECS: Readonly<Record<string, ReadSpec>> = {
  cat: { flags: 'AbEensTtuv', operands: 'paths' },
  head: { flags: 'qv', valued: 'nc', digits: true, longValued: ['lines', 'bytes'], operands: 'paths' },
  tail: { flags: 'qv', valued: 'nc', digits: true, longValued: ['lines', 'bytes'], operands: 'paths' },
  tac: { operands: 'paths' },
  nl: { flags: 'p', valued: 'b', operands: 'paths' },
  wc: { flags: 'lwcmL', operands: 'paths' },
  cut: { flags: 's', valued: 'dfcb', operands: 'paths' },
  sort: { flags: 'bdfghinruVscCm', valued: 'kt', operands: 'paths' },
  uniq: { flags: 'cdiu', valued: 'fsw', operands: 'paths', most: 1 },
  tr: { flags: 'cdst', operands: 'text' },
  column: { flags: 't', valued: 's', operands: 'paths' },
  strings: { flags: 'a', valued: 'n', operands: 'paths' },
  od: { flags: 'abcdox', valued: 'ANjt', operands: 'paths' },
  hexdump: { flags: 'Cbcdox', valued: 'ns', operands: 'paths' },
  cmp: { flags: 'ls', operands: 'paths' },
  diff: { flags: 'uqrsiwbB', valued: 'U', operands: 'paths' },
  md5sum: { operands: 'paths' },
  sha256sum: { operands: 'paths' },
  grep: grep(),
  egrep: grep(),
  fgrep: grep(),
  zcat: { operands: 'paths' },
  jq: { flags: 'rcSesMnj', longs: ['tab'], longValued: ['indent'], operands: 'pattern' },
  ls: {
    flags: 'AaBCcdFfghHiklLmNnopQRrSsTtUuvXxZ1',
    longs: ['full-time', 'color=never'],
    longValued: ['time-style', 'sort', 'color'],
    operands: 'paths',
  },
  stat: { flags: 'fLt', valued: 'c', longValued: ['format', 'printf'], operands: 'paths' },
  file: { flags: 'biL', operands: 'paths' },
  du: { flags: 'abchklmsx', valued: 'd', longValued: ['max-depth'], operands: 'paths' },
  df: { flags: 'aHhiklmPT', valued: 't', longs: ['total'], operands: 'paths' },
  readlink: { flags: 'efmn', operands: 'paths' },
  realpath: { flags: 'emsz', operands: 'paths' },
  basename: { flags: 'az', valued: 's', operands: 'text' },
  dirname: { flags: 'z', operands: 'text' },
  seq: { flags: 'w', valued: 'sf', operands: 'text' },
  ps: {
    flags: 'AaefFHjlLMTwxyu',
    valued: 'oCpqU',
    longs: ['no-headers', 'forest'],
    longValued: ['sort', 'ppid', 'pid'],
    operands: 'text',
    only: psOperands,
  },
  pgrep: { flags: 'aflnovx', valued: 'PuU', operands: 'text' },
  pidof: { flags: 'sx', operands: 'text' },
  pstree: { flags: 'aclnpu', operands: 'text' },
  top: { flags: 'bHci', valued: 'ndpo', operands: 'none', only: (given) => has(given, 'b') && has(given, 'n') },
  free: { flags: 'bkmghtwl', longs: ['human'], operands: 'none' },
  uptime: { flags: 'ps', operands: 'none' },
  vmstat: { flags: 'adsmntw', operands: 'text', only: counted },
  iostat: { flags: 'cdhkmNtxyz', operands: 'text', only: counted },
  mpstat: { valued: 'P', operands: 'text', only: counted },
  nproc: { operands: 'none' },
  lscpu: { operands: 'none' },
  lsblk: { flags: 'abfmpt', valued: 'o', operands: 'none' },
  uname: { flags: 'asnrvmpio', operands: 'none' },
  hostname: { flags: 'AdfiIs', operands: 'none' },
  whoami: { operands: 'none' },
  who: { flags: 'abHqu', operands: 'none' },
  id: { flags: 'gGnru', operands: 'text' },
  date: {
    flags: 'uR',
    longs: ['utc', 'iso-8601', 'rfc-email'],
    longValued: ['iso-8601', 'rfc-3339'],
    valued: 'd',
    operands: 'text',
    only: (_, operands) => operands.every(({ text }) => text.startsWith('+')),
  },
  getent: {
    operands: 'text',
    only: (_, [database]) =>
      /^(hosts|ahosts|ahostsv4|ahostsv6|services|protocols|networks)$/.test(database?.text ?? ''),
  },
  mount: { flags: 'l', operands: 'none' },
  dmesg: {
    flags: 'HkPTtxL',
    longs: ['nopager'],
    longValued: ['level', 'facility', 'since', 'until'],
    operands: 'none',
  },
  ss: { flags: 'aeHilmnoprstuwx460O', operands: 'text' },
  netstat: { flags: 'aeilnprstuwx46', operands: 'none' },
  lsof: { flags: 'nPltUa', valued: 'pui', operands: 'none' },
  dig: { operands: 'text', only: (_, operands) => operands.every(({ text }) => !text.startsWith('-')) },
  nslookup: { operands: 'text' },
  ping: { flags: 'nq46', valued: 'cWiw', operands: 'text', most: 1, only: (given) => upTo(given, 'c', 20) },
  journalctl: {
    flags: 'abkqrx',
    valued: 'unptoSU',
    longs: ['no-pager', 'utc', 'quiet', 'reverse', 'dmesg'],
    longValued: ['since', 'until', 'unit', 'lines', 'output', 'priority', 'boot'],
    operands: 'text',
  },
  which: { flags: 'a', operands: 'text' },
  iptables: { flags: 'LSnvx', valued: 't', longs: ['line-numbers'], operands: 'text', most: 1, only: lists },
  ip6tables: { flags: 'LSnvx', valued: 't', longs: ['line-numbers'], operands: 'text', most: 1, only: lists },
  sleep: { operands: 'text', most: 1, only: (_, [time]) => /^\d{1,2}(\.\d+)?s?$/.test(time?.text ?? '') },
  printenv: { operands: 'text' },
};

/** One row for each reading program. */
export const READ_ROWS: readonly CommandRow[] = Object.entries(SPECS).map(([program, spec]) => ({
  program,
  classify: (argv: Argv) => (reads(argv, spec) ? READ : null),
}));

function reads({ words }: Argv, spec: ReadSpec): boolean {
  const options = readOptions(words.slice(1), { order: 'mixed', ...spec });
  if (!options || options.operands.length > (spec.most ?? Number.POSITIVE_INFINITY)) return false;
  return operandsRead(options, spec.operands) && (spec.only?.(options.given, options.operands) ?? true);
}

function operandsRead({ given, operands }: Options, kind: Operands): boolean {
  switch (kind) {
    case 'none':
      return operands.length === 0;
    case 'text':
      return operands.every(isLiteral);
    case 'paths':
      return operands.every(isReadable);
    case 'pattern':
      return patternRead(given, operands);
  }
}

/** With `-e` the pattern is no operand. A filter of jq may load files by `import` and `include`. */
function patternRead(given: readonly Given[], operands: readonly Word[]): boolean {
  const inOption = given.some(({ name, value }) => name === 'e' && value !== null);
  const pattern = inOption ? undefined : operands[0];
  const paths = inOption ? operands : operands.slice(1);
  return (!pattern || (isLiteral(pattern) && !/import|include/.test(pattern.text))) && paths.every(isReadable);
}

function grep(): ReadSpec {
  return {
    flags: 'abcEFGHhiIlLnoPqrRsvwxz',
    valued: 'ABCem',
    digits: true,
    longs: ['color=never', 'count', 'ignore-case', 'line-number', 'invert-match', 'only-matching'],
    longValued: ['include', 'exclude', 'max-count', 'color', 'after-context', 'before-context', 'context'],
    operands: 'pattern',
  };
}

const has = (given: readonly Given[], name: string): boolean => given.some((option) => option.name === name);

const upTo = (given: readonly Given[], name: string, most: number): boolean =>
  given.some((option) => option.name === name && Number(option.value) <= most);

/** `ps aux`, and never `ps e`, which shows environments with their secrets. */
function psOperands(_: readonly Given[], operands: readonly Word[]): boolean {
  return operands.every(({ text }) => /^[aAfjlLrTuvwxX]+$/.test(text) || /^\d+$/.test(text));
}

/** `vmstat 1 5` ends; `vmstat 1` does not. */
function counted(_: readonly Given[], operands: readonly Word[]): boolean {
  const numbers = operands.map(({ text }) => Number(text));
  return numbers.length === 0 || (numbers.length === 2 && (numbers[0] ?? 0) * (numbers[1] ?? 0) <= 60);
}

function lists(given: readonly Given[]): boolean {
  return has(given, 'L') || has(given, 'S');
}
