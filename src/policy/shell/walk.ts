import type * as bash from 'unbash';
import { forEachChild, parse } from 'unbash';
import type { Argv, Word } from '../row.js';
import { checkArithmetic } from './arithmetic.js';
import { checkBuiltin } from './builtins.js';
import type { Run } from './carried.js';
import { carriedBy, programOf } from './carriers.js';
import { checkConstruct } from './constructs.js';
import { checkDialect, type Shell } from './dialect.js';
import { checkText, type Refusal } from './text.js';
import { checkName } from './variables.js';
import { assignmentText, isLiteral, literal, readWord } from './words.js';

/** An argv with what the flattening knows about it. */
export interface FlatArgv extends Argv {
  /** Containers and hosts it runs in, the outermost first; empty = on the call's own host. */
  readonly where: readonly string[];
  /** Names of variables set for it alone; without words, set for the shell. */
  readonly env: readonly string[];
  /** It only starts what follows, so its own class does not count. */
  readonly transparent: boolean;
}

export interface Flattened {
  readonly commands: FlatArgv[];
  readonly refusals: Refusal[];
}

/** Notes a refusal once, however often its construct occurs. */
function refuse(out: Flattened, refusal: Refusal | null): void {
  if (refusal && !out.refusals.some(({ reason }) => reason === refusal.reason)) out.refusals.push(refusal);
}

/** Scripts within scripts; a person reads no deeper either. */
const MAX_DEPTH = 8;

/** What a script is part of. */
export interface ScriptPlace {
  readonly shell: Shell;
  readonly where: readonly string[];
  readonly depth: number;
}

type Place = ScriptPlace & { readonly within: 'script' | 'substitution' };

/** Flattens a script and every script in it. Commands stand in the order of their text. */
export function flattenScript(text: string, place: ScriptPlace, out: Flattened): void {
  const refusal = place.depth > MAX_DEPTH ? tooDeep() : checkText(text);
  if (refusal) refuse(out, refusal);
  else walk(parse(text), { ...place, within: 'script' }, out);
}

function walk(node: bash.SyntaxNode, place: Place, out: Flattened): void {
  const checks = [
    checkConstruct(node),
    checkArithmetic(node),
    checkDialect(node, place.shell),
    hereDocument(node, place),
  ];
  for (const refusal of checks) refuse(out, refusal);
  if (node.type === 'Command') takeCommand(node, place, out);
  if (node.type === 'Redirected') takeRedirections(node.redirects, place, out);
  const inner: Place = isSubstitution(node) ? { ...place, within: 'substitution' } : place;
  forEachChild(node, (child) => walk(child, inner, out));
}

const isSubstitution = ({ type }: bash.SyntaxNode): boolean =>
  type === 'CommandExpansion' || type === 'ProcessSubstitution' || type === 'ArithmeticCommandExpansion';

/** Bash 5.2 prints a substitution and parses it again, and behind a here-document it drops a `;`: `a; X=1 b` became `a X=1 b`. */
function hereDocument(node: bash.SyntaxNode, { within }: Place): Refusal | null {
  if (node.type !== 'HereDoc' || within === 'script') return null;
  return { code: 'MEDIC_POLICY_PARSE', reason: 'a here-document within a substitution: bash may run something else' };
}

function takeCommand(node: bash.Command, place: Place, out: Flattened): void {
  const env = node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : []));
  const redirects = readRedirections(node.redirects);
  if (node.name) {
    const words = [readWord(node.name), ...node.args.map(readArgument)];
    takeArgv({ words, env, ...redirects }, place, out);
  } else out.commands.push({ words: [], env, ...redirects, where: place.where, transparent: false });
}

function takeRedirections(redirections: readonly bash.Redirection[], place: Place, out: Flattened): void {
  const { reads, writes } = readRedirections(redirections);
  if (reads.length + writes.length === 0) return;
  out.commands.push({ words: [], env: [], reads, writes, where: place.where, transparent: false });
}

type Bare = Omit<FlatArgv, 'where' | 'transparent'>;

function takeArgv(argv: Bare, place: Place, out: Flattened): void {
  const name = argv.words[0];
  if (!name || !isLiteral(name) || name.text === '') {
    refuse(out, {
      code: 'MEDIC_POLICY_DYNAMIC_COMMAND',
      reason: `the command name \`${name?.text ?? ''}\` is decided at run time`,
    });
    return;
  }
  refuseArguments(argv, out);
  const carried = carriedBy(argv.words, place.shell);
  const transparent = carried.kind === 'runs' && carried.transparent;
  out.commands.push({ ...argv, where: place.where, transparent });
  if (carried.kind === 'unclear') refuse(out, unclear(argv.words, carried.reason));
  if (carried.kind === 'runs') for (const run of carried.runs) follow(run, argv, place, out);
}

function refuseArguments({ words, env }: Bare, out: Flattened): void {
  const builtin = checkBuiltin(programOf(words), words.slice(1));
  for (const refusal of [builtin, ...env.map(checkName)]) refuse(out, refusal);
}

function follow(run: Run, carrier: Bare, place: Place, out: Flattened): void {
  const where = run.where ? [...place.where, run.where] : place.where;
  const inner = { ...place, where, depth: place.depth + 1 };
  if (run.kind === 'script') flattenScript(run.text, { ...inner, shell: run.shell }, out);
  else if (inner.depth > MAX_DEPTH) refuse(out, tooDeep());
  else takeArgv({ words: run.words, env: [...carrier.env, ...run.env], reads: [], writes: [] }, inner, out);
}

const readArgument = (argument: bash.CommandArgument): Word =>
  argument.type === 'Word' ? readWord(argument) : readAssignment(argument);

function readAssignment(assignment: bash.Assignment): Word {
  if (assignment.value.type !== 'Word') return { ...literal(assignment.text), dynamic: true };
  return { ...readWord(assignment.value), text: assignmentText(assignment), multi: false };
}

function readRedirections(redirections: readonly bash.Redirection[]): { reads: string[]; writes: string[] } {
  const reads: string[] = [];
  const writes: string[] = [];
  for (const redirection of redirections) {
    if (redirection.type !== 'Redirect' || isDuplicate(redirection)) continue;
    const path = redirection.target?.value ?? '';
    if (redirection.operator.includes('>')) writes.push(path);
    if (redirection.operator.includes('<')) reads.push(path);
  }
  return { reads, writes };
}

/** `2>&1`, `>&-`: no file. `>& name` is one. */
const isDuplicate = ({ operator, target }: bash.Redirect): boolean =>
  (operator === '>&' || operator === '<&') && /^(\d+-?|-)$/.test(target?.text ?? '');

const unclear = (words: readonly Word[], why: string): Refusal => ({
  code: 'MEDIC_POLICY_DYNAMIC_COMMAND',
  reason: `what \`${programOf(words)}\` would run is not certain: ${why}`,
});

const tooDeep = (): Refusal => ({ code: 'MEDIC_POLICY_PARSE', reason: `scripts nested deeper than ${MAX_DEPTH}` });
