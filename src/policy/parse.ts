import { parse } from 'unbash';
import type { Refusal } from './shell/text.js';
import { type FlatArgv, flattenScript } from './shell/walk.js';

/** Every argv a command line would run, and why it may not run at all. */
export interface ParsedCommand {
  readonly commands: readonly FlatArgv[];
  /** Empty when the list is certain to be whole. Any refusal makes the command `forbidden`. */
  readonly refusals: readonly Refusal[];
}

/**
 * Flattens a command line to every argv that would run: pipes, lists, loops, substitutions, and scripts within
 * `sh -c`, `docker exec`, `ssh`, `env`, `xargs`, `trap` and the like. It is read as bash reads it, so it must be run
 * by `bash --noprofile --norc -c`, byte for byte.
 *
 * Fails closed: the parser is tolerant, so any error at any level of nesting is a refusal, and so is every construct
 * with which a command could run or redefine something that is not in the list. A refused command may still list what
 * was found, for display.
 */
export function parseCommand(command: string): ParsedCommand {
  const out = { commands: [] as FlatArgv[], refusals: [] as Refusal[] };
  flattenScript(command, { shell: 'bash', where: [], depth: 0 }, out);
  if (out.refusals.length === 0 && parse(command).commands.length === 0) {
    out.refusals.push({ code: 'MEDIC_POLICY_PARSE', reason: 'it holds no command' });
  }
  return out;
}
