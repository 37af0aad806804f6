import type { Word } from '../row.js';
import type { Carried, Run } from './carried.js';
import type { Shell } from './dialect.js';
import { type OptionSpec, readOptions } from './options.js';
import { runShell } from './shells.js';
import { ANYTHING, isLiteral, literal } from './words.js';

/** What `words` would start; `shell` is the language that `eval` and `trap` speak. */
export function carriedBy(words: readonly Word[], shell: Shell): Carried {
  const program = programOf(words);
  const carrier = Object.hasOwn(CARRIERS, program) ? CARRIERS[program] : undefined;
  return carrier ? carrier(words.slice(1), shell) : { kind: 'nothing' };
}

/** The program's name without its folder. */
export const programOf = (words: readonly Word[]): string => words[0]?.text.replace(/^.*\//s, '') ?? '';

type Carrier = (args: readonly Word[], shell: Shell) => Carried;

const CARRIERS: Readonly<Record<string, Carrier>> = {
  bash: (args) => runShell(args, 'bash'),
  sh: (args) => runShell(args, 'sh'),
  dash: (args) => runShell(args, 'sh'),
  ash: (args) => runShell(args, 'sh'),
  ...unread(['zsh', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'pwsh']),
  env: runEnv,
  timeout: prefix(
    {
      flags: 'v',
      valued: 'ks',
      longs: ['preserve-status', 'foreground', 'verbose'],
      longValued: ['kill-after', 'signal'],
    },
    { skip: 1 },
  ),
  nice: prefix({ valued: 'n', digits: true, longValued: ['adjustment'] }),
  ionice: prefix({ flags: 't', valued: 'cn' }),
  stdbuf: prefix({ valued: 'ioe' }),
  nohup: prefix({}),
  time: prefix({ flags: 'pv' }),
  setsid: prefix({ flags: 'cfw', longs: ['fork', 'wait', 'ctty'] }, { transparent: false }),
  sudo: prefix({ flags: 'nEHS', valued: 'ug' }, { transparent: false }),
  doas: prefix({ flags: 'n', valued: 'u' }, { transparent: false }),
  busybox: prefix({}),
  builtin: prefix({}),
  exec: prefix({ flags: 'cl', valued: 'a' }),
  command: (args) => (isLookup(args) ? { kind: 'nothing' } : prefix({ flags: 'p' })(args, 'bash')),
  xargs: runXargs,
  find: runFind,
  docker: runContainer,
  podman: runContainer,
  ssh: runRemote,
  eval: (args, shell) => runJoined(args, { shell }),
  trap: runTrap,
};

const unclear = (reason: string): Carried => ({ kind: 'unclear', reason });

function unread(shells: readonly string[]): Record<string, Carrier> {
  return Object.fromEntries(shells.map((name) => [name, () => unclear(`Medic does not read the language of ${name}`)]));
}

/** A carrier that takes options, `skip` operands of its own, and then an argv. */
function prefix(
  spec: OptionSpec,
  { skip = 0, transparent = true }: { skip?: number; transparent?: boolean } = {},
): Carrier {
  return (args) => {
    const options = readOptions(args, spec);
    if (!options?.operands.slice(0, skip).every(isLiteral)) return unclear('its options cannot be read');
    const words = options.operands.slice(skip);
    if (words.length === 0) return { kind: 'nothing' };
    if (words[0]?.text.includes('=')) return unclear('it sets a variable in a way that Medic does not read');
    return { kind: 'runs', transparent, runs: [{ kind: 'argv', words, env: [] }] };
  };
}

const isLookup = (args: readonly Word[]): boolean => /^-[vV]$/.test(args[0]?.text ?? '');

function runEnv(args: readonly Word[]): Carried {
  const options = readOptions(args, {
    flags: 'i',
    valued: 'uC',
    longs: ['ignore-environment'],
    longValued: ['unset', 'chdir'],
  });
  if (!options || options.operands[0]?.text === '-') return unclear('its options cannot be read');
  const start = options.operands.findIndex((word) => !/^[^$`=]*=/.test(word.text));
  const settings = start < 0 ? options.operands : options.operands.slice(0, start);
  if (settings.some((word) => word.multi)) return unclear('a variable is split into words at run time; quote it');
  if (start < 0) return { kind: 'nothing' };
  const env = settings.map((word) => word.text.replace(/=.*$/s, ''));
  return { kind: 'runs', transparent: true, runs: [{ kind: 'argv', words: options.operands.slice(start), env }] };
}

/** `xargs` adds words of its standard input: behind the others, or with `-I R` wherever R stands. */
function runXargs(args: readonly Word[]): Carried {
  const options = readOptions(args, {
    flags: '0rtx',
    valued: 'nLPsdaIE',
    longs: ['null', 'no-run-if-empty', 'verbose', 'exit'],
    longValued: ['max-args', 'max-lines', 'max-procs', 'max-chars', 'delimiter', 'arg-file'],
  });
  if (!options) return unclear('its options cannot be read');
  const mark = options.given.find(({ name }) => name === 'I')?.value;
  const given = options.operands.length > 0 ? options.operands : [literal('echo')];
  const words = mark ? given.map((word) => replaced(word, mark)) : [...given, ANYTHING];
  return { kind: 'runs', transparent: true, runs: [{ kind: 'argv', words, env: [] }] };
}

const replaced = (word: Word, mark: string): Word => (word.text.includes(mark) ? { ...word, dynamic: true } : word);

const EXEC = /^-(exec|execdir|ok|okdir)$/;

function runFind(args: readonly Word[]): Carried {
  if (!args.every(isTestOrPath)) return unclear('an expansion could be an -exec of its own');
  const runs: Run[] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!EXEC.test(args[at]?.text ?? '')) continue;
    const length = args.slice(at).findIndex((word) => /^[;+]$/.test(word.text));
    if (length < 0) return unclear('its -exec has no end');
    runs.push({ kind: 'argv', words: args.slice(at + 1, at + length).map(found), env: [] });
    at += length;
  }
  return runs.length > 0 ? { kind: 'runs', transparent: false, runs } : { kind: 'nothing' };
}

const isTestOrPath = (word: Word): boolean => isLiteral(word) || (!word.dynamic && word.text.startsWith('/'));

const found = (word: Word): Word => (word.text === '{}' ? ANYTHING : replaced(word, '{}'));

/** `docker exec`; its other verbs are left to their rows. */
function runContainer(args: readonly Word[]): Carried {
  const [verb, ...rest] = args;
  if (!verb || !isLiteral(verb) || /^-/.test(verb.text)) return unclear('its verb must come first, in plain text');
  if (verb.text !== 'exec') {
    return rest[0]?.text === 'exec' ? unclear('write it as docker exec') : { kind: 'nothing' };
  }
  const options = readOptions(rest, {
    flags: 'it',
    valued: 'uw',
    longs: ['interactive', 'tty'],
    longValued: ['user', 'workdir'],
  });
  const [container, ...words] = options?.operands ?? [];
  if (!container || !isLiteral(container)) return unclear('its options or its container cannot be read');
  if (words.length === 0) return unclear('no command for the container');
  return { kind: 'runs', transparent: true, runs: [{ kind: 'argv', words, env: [], where: container.text }] };
}

/** Options of ssh that run nothing and read no other configuration. */
const SSH_SETTING = /^(BatchMode|ConnectTimeout|ConnectionAttempts|StrictHostKeyChecking|LogLevel|ServerAlive\w+)=\w+$/;

function runRemote(args: readonly Word[]): Carried {
  const options = readOptions(args, { flags: 'qnTtx46', valued: 'plo' });
  const [host, ...words] = options?.operands ?? [];
  if (!options || !host || !isLiteral(host)) return unclear('its options or its host cannot be read');
  if (options.given.some(({ name, value }) => name === 'o' && !SSH_SETTING.test(value ?? ''))) {
    return unclear('an option of ssh can run a command of its own');
  }
  if (words.length === 0) return unclear('it opens a shell that reads its commands from elsewhere');
  return runJoined(words, { shell: 'sh', where: host.text });
}

/** `eval` and the far side of ssh join their words and parse them once more; the shell there may be any. */
function runJoined(args: readonly Word[], { shell, where }: { shell: Shell; where?: string }): Carried {
  if (!args.every(isLiteral)) return unclear('the script is put together at run time');
  const text = args.map((word) => word.text).join(' ');
  return { kind: 'runs', transparent: true, runs: [{ kind: 'script', text, shell, where }] };
}

function runTrap(args: readonly Word[], shell: Shell): Carried {
  if (!args.every(isLiteral)) return unclear('the script is put together at run time');
  const [script, ...signals] = args[0]?.text === '--' ? args.slice(1) : args;
  if (!script || signals.length === 0 || /^-|^$/.test(script.text)) return { kind: 'nothing' };
  return { kind: 'runs', transparent: true, runs: [{ kind: 'script', text: script.text, shell }] };
}
