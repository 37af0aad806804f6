import { Command } from '@commander-js/extra-typings';
import { addChaosVerbs } from './verbs/chaos.js';
import { addDecidingVerbs } from './verbs/deciding.js';
import { addIdentityVerbs } from './verbs/identity.js';
import { addLabVerbs } from './verbs/lab.js';
import { addMaintenanceVerbs } from './verbs/maintenance.js';
import type { VerbDeps } from './verbs/options.js';
import { addPromptVerbs } from './verbs/prompts.js';
import { addReadingVerbs } from './verbs/reading.js';
import { addRunningVerbs } from './verbs/running.js';
import { addSayingVerbs } from './verbs/saying.js';
import { addWhatIfVerbs } from './verbs/whatif.js';
import { VERSION } from './version.js';

/** Below the list of verbs: what holds for all of them. */
const FOOT = `
Options of a verb: ./medic help VERB
A ticket is \`tikv/42\`, or \`42\` while there is one subject.

Environment:
  MEDIC_HOME         folder of this Medic, instead of --home
  MEDIC_CONFIG       its medic.yaml, instead of --config
  MEDIC_IDENTITY     file of the key that signs your answers
  ANTHROPIC_API_KEY  lets Claude reason; ANTHROPIC_BASE_URL is honoured
  MEDIC_LOG          level of the worker's log
  MEDIC_DEBUG        with the stack of an unexpected error
  NO_COLOR           no colours
  TEMPORAL_CLI_PATH  the Temporal CLI to be used

Exit codes: 0 done, 1 failure, 2 not understood, 3 findings, 4 nothing answers,
5 denied by policy, 6 not remediated, 8 a person is waited for, 130 interrupted. More: docs/cli.md`;

/** All verbs. Parsing and running are apart: a verb is a function of its options and a screen. */
export function createProgram(deps: VerbDeps): Command {
  const { screen } = deps;
  const program = new Command('medic')
    .description('On-call operator for stateful services')
    .version(VERSION)
    // What is wrong is said by the caller, with a code.
    .configureOutput({ writeOut: (text) => screen.out(text.trimEnd()), outputError: () => {} })
    .helpCommand(false)
    .addHelpText('after', FOOT)
    .showSuggestionAfterError()
    .exitOverride();
  addRunningVerbs(program, deps);
  addReadingVerbs(program, deps);
  addPromptVerbs(program, deps);
  addWhatIfVerbs(program, deps);
  addDecidingVerbs(program, deps);
  addSayingVerbs(program, deps);
  addIdentityVerbs(program, deps);
  addMaintenanceVerbs(program, deps);
  addLabVerbs(program, deps);
  addChaosVerbs(program, deps);
  return program as unknown as Command;
}

/** The verb that a command line names, as far as it names one; `rest` is what follows. */
export function verbNamed(program: Command, argv: readonly string[]): { verb: Command; rest: readonly string[] } {
  const [name, ...rest] = argv;
  const found = program.commands.find((command) => command.name() === name);
  return found ? verbNamed(found as unknown as Command, rest) : { verb: program, rest: argv };
}

/** `./medic chaos inject` */
export const pathOf = (verb: Command): string =>
  verb.parent ? `${pathOf(verb.parent as unknown as Command)} ${verb.name()}` : './medic';
