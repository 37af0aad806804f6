import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parseDuration } from '../../config/duration.js';
import type { Screen } from '../screen.js';

/** Where verbs are added: the program, or a verb with verbs of its own. */
export type Parent = Pick<Command, 'command'>;

/**
 * What verbs need of their caller; `done` gets the exit code of the verb that ran. Each verb loads its
 * own code when it runs: Temporal's SDK alone takes a second, which help and a typing error need not wait for.
 */
export interface VerbDeps {
  readonly screen: Screen;
  readonly done: (code: number) => void;
}

export const homeOption = () => new Option('--home <dir>', 'folder of this Medic').env('MEDIC_HOME').default('.medic');

export const configOption = () =>
  new Option('--config <file>', 'medic.yaml of this installation (default: ./medic.yaml if there is one)').env(
    'MEDIC_CONFIG',
  );

/** PD of a cluster that Medic did not make. */
export const pdOption = () => new Option('--pd <urls>', 'PD of the cluster: one URL or more, with commas between');

/** A file in PEM form. The name stays a literal type, so that the parsed options are typed by it. */
export const pemOption = <Name extends string>(name: Name, what: string) =>
  new Option(`--${name} <file>`, `${what} (PEM)`);

export const jsonOption = () => new Option('--json', 'machine-readable output');

export const byOption = () => new Option('--by <name>', 'who says so (unsigned; default: your login)');

export const profileOption = () =>
  new Option('--profile <name>', 'time table of the lab').choices(['fast', 'real'] as const).default('fast' as const);

export const storesOption = () =>
  new Option('--stores <n>', 'stores of a new lab').argParser(wholeNumber(3, 6)).default(4);

/** The name stays a literal type, so that the parsed options are typed by it. */
export const portOption = <Name extends string>(name: Name, what: string) =>
  new Option(`--${name} <port>`, `${what} (default: the next free one)`).argParser(wholeNumber(1, 65_535));

export const identityOption = () =>
  new Option('--identity <file>', 'whose key signs (default: that of `identity create`)').env('MEDIC_IDENTITY');

/** Parses a duration into ms. */
export function duration(text: string): number {
  const value = parseDuration(text);
  if (value !== null) return value;
  throw new InvalidArgumentError('Need a duration like `30s` or `1h`.');
}

/** Parses a whole number within bounds, both included. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Need a whole number from ${least} to ${most}.`);
  };
}
