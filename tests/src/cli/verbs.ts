import { beforeAll } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { paper } from './paper.js';

/** How a verb ended and what it printed, as lines. */
export interface Typed {
  readonly code: number;
  readonly out: string[];
  readonly err: string[];
}

/**
 * Runs command lines within the test's own process. Verbs are loaded when they are asked for, and jest cannot load several
 * at once: the modules of those that a file uses are loaded before its tests.
 */
export function verbs(modules: readonly string[]): (...argv: string[]) => Promise<Typed> {
  beforeAll(async () => {
    for (const name of modules) await import(`../../../src/cli/${name}.js`);
  });
  return async (...argv) => {
    const { screen, out, err } = paper();
    const code = await runCommandLine(argv, screen);
    return { code, out: out(), err: err() };
  };
}
