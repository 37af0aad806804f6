import { CommanderError } from '@commander-js/extra-typings';
import { MedicError } from '../domain/errors.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { createProgram } from './program.js';
import type { Screen } from './screen.js';

/** Runs one command line and returns its exit code; every failure becomes words and a code. */
export async function runCommandLine(argv: readonly string[], screen: Screen): Promise<number> {
  let code: number = EXIT.ok;
  const done = (ended: number) => {
    code = ended;
  };
  const program = createProgram({ screen, done });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return tellFailure(error, screen);
  }
}

function tellFailure(error: unknown, screen: Screen): number {
  // commander has already said what is wrong; help and version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(error instanceof MedicError)) {
    screen.err(process.env.MEDIC_DEBUG && error instanceof Error ? (error.stack ?? error.message) : String(error));
    screen.err('unexpected; run again with MEDIC_DEBUG=1 for the stack');
    return EXIT.failure;
  }
  screen.err(`${error.code}  ${error.message}`);
  if (error.next) screen.err(`  ${error.next}`);
  return exitCodeOf(error.code);
}
