import { type Command, CommanderError } from '@commander-js/extra-typings';
import { MedicError } from '../domain/errors.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { createProgram, pathOf, verbNamed } from './program.js';
import type { Screen } from './screen.js';
import { asSilence } from './silence.js';

/** Runs one command line and returns its exit code; every failure becomes words and a code. */
export async function runCommandLine(argv: readonly string[], screen: Screen): Promise<number> {
  let code: number = EXIT.ok;
  const done = (ended: number) => {
    code = ended;
  };
  const program = createProgram({ screen, done });
  const { verb, rest } = verbNamed(program, argv[0] === 'help' ? argv.slice(1) : argv);
  try {
    if (wantsHelp(argv, { verb, rest })) verb.outputHelp();
    else await program.parseAsync([...(argv[0] === 'help' ? rest : argv)], { from: 'user' });
    return code;
  } catch (error) {
    return await tellFailure(error, { screen, verb });
  }
}

/** `help VERB`, or a group of verbs without one of them. */
function wantsHelp(argv: readonly string[], { verb, rest }: ReturnType<typeof verbNamed>): boolean {
  return rest.length === 0 && (argv[0] === 'help' || verb.commands.length > 0);
}

async function tellFailure(
  error: unknown,
  { screen, verb }: { readonly screen: Screen; readonly verb: Command },
): Promise<number> {
  // Help and version end with 0, by an error.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  const known = await asMedicError(error, verb);
  if (!known) {
    screen.err(process.env.MEDIC_DEBUG && error instanceof Error ? (error.stack ?? error.message) : String(error));
    screen.err('  Unexpected. Run it again with MEDIC_DEBUG=1 for the stack.');
    return EXIT.failure;
  }
  screen.err(`${known.code}  ${known.message}`);
  if (known.next) screen.err(`  ${known.next}`);
  return exitCodeOf(known.code);
}

async function asMedicError(error: unknown, verb: Command): Promise<MedicError | null> {
  if (error instanceof MedicError) return error;
  if (error instanceof CommanderError)
    return new MedicError('MEDIC_USAGE', usageWords(error), `See \`${pathOf(verb)} --help\`.`);
  return asSilence(error);
}

/** `error: unknown option '--falt'\n(Did you mean --fault?)` in one line. */
const usageWords = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n\((Did you mean .*\?)\)$/, '. $1')
    .trim();
