import type { Argv, CommandClass, CommandRow, Word } from '../row.js';
import { onlyPrints } from '../shell/variables.js';
import { isLiteral } from '../shell/words.js';
import { isReadable } from './paths.js';

const READ: CommandClass = { kind: 'read' };

/** Builtins whose arguments cannot do harm; those that can are refused while flattening. */
const BUILTINS = ['echo', 'printf', 'true', 'false', ':', 'test', '[', 'read', 'exit', 'return', 'break', 'continue'];
const QUIET_BUILTINS = ['shift', 'set', 'pwd', 'wait', 'unset', 'command', 'type', 'trap', 'env'];

/** Programs of which only some verbs read, by the literal words behind their name. */
const VERBS: Readonly<Record<string, RegExp>> = {
  systemctl:
    /^(--no-pager )?(status|is-active|is-enabled|is-failed|show|cat|list-units|list-timers)( --no-pager| --all| -[np] [\w,]+| [A-Za-z0-9][\w@.:-]*)*$/,
  docker:
    /^(ps|logs|inspect|top|port|images|version|info|stats --no-stream)( (-a|-q|--all|--no-trunc|--format [^ ]+|--tail \d+|-n \d+|--since [\w:.-]+|[\w][\w./:-]*))*$/,
  ip: /^(-[46dsjo]+ )*(addr|a|address|link|l|route|r|neigh|n|rule)( (show|list|ls)( (dev )?[\w.@]+)?)?$/,
  nft: /^(-[anj]+ )*list (ruleset|tables|table [\w ]+|chain [\w ]+)$/,
  sysctl: /^(-n )?[a-z][\w.]+$/,
  tc: /^(-s )?(qdisc|class|filter) show( dev [\w.-]+)?$/,
  sed: /^-n \d+(,\d+)?p( \/[^ ]+)?$/,
  kill: /^(-l( \w+)?|-0 [1-9]\d*)$/,
};

/** These take the whole host away, Medic's own or another. */
const HOST_ENDERS = ['reboot', 'shutdown', 'poweroff', 'halt', 'kexec', 'telinit'];
const BY_NAME = ['pkill', 'killall', 'skill', 'fuser'];

/** Everything that is no plain reader: builtins, verbs, `find`, `awk`, and what is never allowed. */
export const OTHER_ROWS: readonly CommandRow[] = [
  ...[...BUILTINS, ...QUIET_BUILTINS].map((program) => row(program, () => READ)),
  ...Object.entries(VERBS).map(([program, verbs]) => row(program, ({ words }) => readsByVerb(words, verbs))),
  row('export', ({ words }) => (words.slice(1).every(exportsFormat) ? READ : null)),
  row('kill', classifyKill),
  row('find', ({ words }) => (words.slice(1).every(isHarmlessTest) && startsReadable(words) ? READ : null)),
  row('awk', ({ words }) => (readsWithAwk(words.slice(1)) ? READ : null)),
  row('tee', ({ words }) => (words.slice(1).every(({ text }) => text === '/dev/null') ? READ : null)),
  row('cd', ({ words }) => (words.length === 2 && words.slice(1).every(isReadable) ? READ : null)),
  ...HOST_ENDERS.map((program) => row(program, () => forbid('it takes the whole host away'))),
  ...BY_NAME.map((program) =>
    row(program, () => forbid('it ends processes by a pattern, and may hit others; name one pid')),
  ),
];

function row(program: string, classify: (argv: Argv) => CommandClass | null): CommandRow {
  return { program, classify };
}

const forbid = (reason: string): CommandClass => ({ kind: 'forbidden', reason });

function readsByVerb(words: readonly Word[], verbs: RegExp): CommandClass | null {
  const args = words.slice(1);
  if (!args.every((word) => isLiteral(word) && !/^$|\s/.test(word.text))) return null;
  const paths = args.filter((word) => word.text.startsWith('/'));
  return verbs.test(args.map((word) => word.text).join(' ')) && paths.every(isReadable) ? READ : null;
}

/** Any other exported variable may mean something to the programs that follow. */
const exportsFormat = ({ text }: Word): boolean => onlyPrints(text.replace(/=.*$/s, ''));

/** Which process a `kill` decided at run time would hit cannot be ruled on. */
function classifyKill({ words }: Argv): CommandClass | null {
  return words.every(isLiteral) ? null : forbid('which process it would signal is decided at run time; name its pid');
}

const TEST =
  /^-(name|iname|path|type|size|mtime|mmin|newer|maxdepth|mindepth|empty|print|print0|ls|user|group|o|a|not|H|L|xdev)$/;

/** Everything but `-exec`, `-ok`, `-delete`, `-fprint`, `-fls` and what is not known. */
const isHarmlessTest = (word: Word): boolean =>
  isLiteral(word) && (!word.text.startsWith('-') || TEST.test(word.text) || /^-\d+[a-zA-Z]?$/.test(word.text));

function startsReadable(words: readonly Word[]): boolean {
  const test = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word.text));
  const starts = words.slice(1, test < 0 ? undefined : test);
  return starts.length > 0 && starts.every(isReadable);
}

/** `awk '{print $2, $3}'` and `awk -F: '/text/ {print}'`: no functions, so no `system` and no redirection. */
const AWK = /^(\/[\w .:=-]+\/)? ?(\{ ?print( ?(\$\d+|\$NF|"[^"\\]*")( ?,? ?(\$\d+|\$NF|"[^"\\]*"))*)? ?\})?$/;

function readsWithAwk(args: readonly Word[]): boolean {
  const [program, ...paths] = args[0]?.text.startsWith('-F') ? args.slice(args[0].text === '-F' ? 2 : 1) : args;
  return (
    program !== undefined && args.every((word) => !word.dynamic) && AWK.test(program.text) && paths.every(isReadable)
  );
}
