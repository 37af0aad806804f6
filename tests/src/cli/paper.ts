import { createScreen, type Screen } from '../../../src/cli/screen.js';

/** A screen that keeps what was written on it. */
export interface Paper {
  readonly screen: Screen;
  /** Everything on stdout, as lines. */
  out(): string[];
  /** Everything on stderr, as lines. */
  err(): string[];
}

/** `columns` makes it a terminal of that width; without, it is a pipe. Colourless unless `env` says otherwise. */
export function paper({ columns, env = { NO_COLOR: '1' } }: { columns?: number; env?: NodeJS.ProcessEnv } = {}): Paper {
  const written = { out: '', err: '' };
  const screen = createScreen({
    stdout: {
      write: (text) => {
        written.out += text;
      },
      isTTY: columns !== undefined,
      columns,
    },
    stderr: {
      write: (text) => {
        written.err += text;
      },
    },
    env,
  });
  const lines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  return { screen, out: () => lines(written.out), err: () => lines(written.err) };
}
