import { runCommandLine } from './command-line.js';
import { processScreen } from './screen.js';

process.exit(await runCommandLine(process.argv.slice(2), processScreen));
