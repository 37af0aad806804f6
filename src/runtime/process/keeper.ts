/**
 * Runs a program that watches no pipe (the Temporal server) and ends it when the parent is gone or asks for it by TERM. The
 * program stays in the keeper's process group, so whoever kills that group gets both.
 *
 *     keeper.js COMMAND ARGUMENT...
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dieWithParent } from './die-with-parent.js';

/** Less than `dieWithParent` waits and than a supervisor does: the program has to be gone before the keeper is. */
const TERM_TO_KILL_MS = 1000;

const [command = '', ...args] = process.argv.slice(2);
const kept = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

const gone = new Promise<number>((resolve) => {
  kept.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  kept.once('error', (error) => {
    process.stderr.write(`keeper: ${error.message}\n`);
    resolve(127);
  });
});

async function endKept(): Promise<void> {
  kept.kill('SIGTERM');
  setTimeout(() => kept.kill('SIGKILL'), TERM_TO_KILL_MS);
  await gone;
}

dieWithParent({ lastWords: endKept });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void endKept());
process.exit(await gone);
