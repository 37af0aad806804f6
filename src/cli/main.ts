import { runCommandLine } from './command-line.js';
import { createScreen } from './screen.js';

// `medic trail 1 | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const screen = createScreen({ stdout: process.stdout, stderr: process.stderr, env: process.env });
process.exit(await runCommandLine(process.argv.slice(2), screen));
