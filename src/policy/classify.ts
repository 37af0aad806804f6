import type { ErrorCode } from '../domain/errors.js';
import type { Target } from '../domain/ids.js';
import { type Call, describeCall, type HttpCall, type ShellCall } from '../domain/query.js';
import { describeArgv } from './display.js';
import { parseCommand } from './parse.js';
import { type Capacity, type CommandClass, type CommandRow, type HttpRow, UNKNOWN_MUTATION } from './row.js';
import { httpSenderRows } from './rows/curl.js';
import { classifyHttp } from './rows/http.js';
import { OTHER_ROWS } from './rows/other-rows.js';
import { isReadable } from './rows/paths.js';
import { READ_ROWS } from './rows/read-rows.js';
import { isOwnEndpoint, type SelfScope, touchesSelf } from './rows/self.js';
import { programOf } from './shell/carriers.js';
import { checkText, type Refusal } from './shell/text.js';
import { onlyPrints } from './shell/variables.js';
import type { FlatArgv } from './shell/walk.js';
import { literal } from './shell/words.js';

/** Everything a call is classified by. */
export interface Rules {
  /** The subject's rows; they come before the generic ones. */
  readonly commandRows: readonly CommandRow[];
  readonly httpRows: readonly HttpRow[];
  readonly self: SelfScope;
  /** `host:port` to API name, from the inventory: how HTTP sent by `curl` is recognised. */
  readonly endpoints: Readonly<Record<string, string>>;
}

/** One part of a call: an argv that would run, or the HTTP call. */
export interface Part {
  /** As a person reads it: `in tikv-0: kill -9 1`. */
  readonly text: string;
  readonly class: CommandClass;
  /** Why it is refused, for `self` and `forbidden`. */
  readonly code: ErrorCode | null;
}

export interface Classification {
  readonly parts: readonly Part[];
  /** All mutations taken together, or the refusal: the whole is as bad as its worst part. */
  readonly worst: CommandClass;
  readonly code: ErrorCode | null;
}

/** Parses and classifies what a call would do (DESIGN 7, rules 1 to 5). Pure and total: what is not known is not a read. */
export function classify(call: Call, rules: Rules): Classification {
  const parts = call.kind === 'shell' ? shellParts(call, rules) : [httpPart(call, rules)];
  const refused = parts.find((part) => part.code !== null);
  return { parts, worst: refused?.class ?? together(parts.map((part) => part.class)), code: refused?.code ?? null };
}

function shellParts({ command }: ShellCall, rules: Rules): Part[] {
  const { commands, refusals } = parseCommand(command);
  const rows = [...rules.commandRows, ...httpSenderRows(rules), ...READ_ROWS, ...OTHER_ROWS];
  const seen = commands.filter(
    (argv) => argv.words.length > 0 || argv.env.length + argv.reads.length + argv.writes.length > 0,
  );
  const parts = [
    ...refusals.map((refusal) => refusedPart(command, refusal)),
    ...seen.map((argv) => argvPart(argv, rules, rows)),
  ];
  return parts.some(({ code }) => code !== null) ? parts : [...parts, ...mentionPart(command, rules)];
}

/** Loops, tests and assignments name paths that stand in no argv. */
function mentionPart(command: string, { self }: Rules): Part[] {
  const reason = touchesSelf({ words: [literal(':'), literal(command)], reads: [], writes: [] }, self, 'named');
  return reason ? [{ text: command, class: { kind: 'self', reason }, code: 'MEDIC_POLICY_SELF' }] : [];
}

const refusedPart = (text: string, { code, reason }: Refusal): Part => ({
  text,
  class: { kind: 'forbidden', reason },
  code,
});

function argvPart(argv: FlatArgv, rules: Rules, rows: readonly CommandRow[]): Part {
  const own = classifyArgv(argv, rows);
  const self = touchesSelf(argv, rules.self, own.kind === 'read' && !descends(argv) ? 'named' : 'below');
  const verdict: CommandClass = self ? { kind: 'self', reason: self } : own;
  return { text: describeArgv(argv), class: verdict, code: codeOf(verdict) };
}

const READ: CommandClass = { kind: 'read' };

function classifyArgv(argv: FlatArgv, rows: readonly CommandRow[]): CommandClass {
  const own = argv.transparent || argv.words.length === 0 ? READ : byRow(argv, rows);
  return own.kind !== 'forbidden' && (writesFile(argv) || readsClosed(argv) || isSteered(argv))
    ? UNKNOWN_MUTATION
    : own;
}

/** Folders whose programs are what their names say; a `cat` from anywhere else may be anything. */
const PROGRAM_FOLDERS = /^(\/usr(\/local)?)?\/s?bin\/[^/]+$/;

function byRow(argv: FlatArgv, rows: readonly CommandRow[]): CommandClass {
  const name = argv.words[0]?.text ?? '';
  if (name.includes('/') && !PROGRAM_FOLDERS.test(name)) return UNKNOWN_MUTATION;
  const program = programOf(argv.words);
  for (const row of rows) {
    const verdict = row.program === program ? row.classify(argv) : null;
    if (verdict) return verdict;
  }
  return UNKNOWN_MUTATION;
}

const writesFile = ({ writes }: FlatArgv): boolean =>
  writes.some((path) => !/^\/dev\/(null|stdout|stderr)$/.test(path));

/** `< file`: a path decided at run time shows as `$`; `<(..)` is a pipe of commands that stand in the list themselves. */
const readsClosed = ({ reads }: FlatArgv): boolean =>
  reads.some((path) => !/^<\(/.test(path) && (/[$`*?[~]/.test(path) || !isReadable(literal(path))));

/** A variable in its environment may make a program do something else. Lower-case names are the shell's own. */
const isSteered = ({ env, words }: FlatArgv): boolean =>
  env.some((name) => !onlyPrints(name) && (words.length > 0 || !/^[a-z_][a-z0-9_]*$/.test(name)));

/** Reads everything below the folders it is given. */
function descends({ words }: FlatArgv): boolean {
  return /^([ef]?grep|diff)$/.test(programOf(words)) && words.some(({ text }) => /^-[a-zA-Z]*[rR]/.test(text));
}

function httpPart(call: HttpCall, { httpRows, self, endpoints }: Rules): Part {
  const refusal = checkText(call.path) ?? checkText(call.body ?? '');
  if (refusal) return refusedPart(describeCall(call), refusal);
  const own = Object.entries(endpoints).find(([endpoint, api]) => api === call.api && isOwnEndpoint(endpoint, self));
  const verdict: CommandClass = own
    ? { kind: 'self', reason: `${own[0]} belongs to Medic` }
    : classifyHttp(call, httpRows);
  return { text: describeCall(call), class: verdict, code: codeOf(verdict) };
}

function codeOf(verdict: CommandClass): ErrorCode | null {
  if (verdict.kind === 'self') return 'MEDIC_POLICY_SELF';
  return verdict.kind === 'forbidden' ? 'MEDIC_POLICY_FORBIDDEN' : null;
}

/** Reads and mutations as one: it touches all they touch, and is as reversible and restorative as the least of them. */
function together(classes: readonly CommandClass[]): CommandClass {
  const mutations = classes.flatMap((one) => (one.kind === 'mutate' ? [one] : []));
  if (mutations.length === 0) return READ;
  return {
    kind: 'mutate',
    influence: {
      touches: distinct(mutations.flatMap(({ influence }) => influence.touches)),
      takesAway: distinct(mutations.flatMap(({ influence }) => influence.takesAway)),
      ...(mutations.some(({ influence }) => influence.unknown) ? { unknown: true } : {}),
    },
    reversible: mutations.every(({ reversible }) => reversible),
    restorative: mutations.every(({ restorative }) => restorative),
    ...capacityOf(mutations.map(({ capacity }) => capacity)),
  };
}

/** Of several parts the one that asks for more. */
function capacityOf(parts: readonly (Capacity | undefined)[]): { readonly capacity?: Capacity } {
  const capacity = parts.includes('always') ? 'always' : parts.find((part) => part !== undefined);
  return capacity ? { capacity } : {};
}

const distinct = (targets: readonly Target[]): Target[] => [...new Set(targets)].sort();
