import { createInterface } from 'node:readline';
import type { Screen } from './screen.js';

/** Asks a person. */
export interface Dialogue {
  /** The line that was typed, without blanks around it; `null`: there will be no answer (Ctrl-D, Ctrl-C). */
  ask(prompt: string): Promise<string | null>;
}

export interface DialogueStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** On two streams. Between two questions the terminal is nobody's, so that an editor can have it. */
export function createDialogue({ input, output }: DialogueStreams): Dialogue {
  return {
    ask: (prompt) =>
      new Promise((answer) => {
        const lines = createInterface({ input, output, terminal: 'isTTY' in input && input.isTTY === true });
        let typed: string | null = null;
        lines.once('close', () => answer(typed));
        lines.once('SIGINT', () => lines.close());
        lines.question(prompt, (line) => {
          typed = line.trim();
          lines.close();
        });
      }),
  };
}

/** The terminal of this process; `null`: nobody can be asked. */
export function terminalDialogue(screen: Screen): Dialogue | null {
  const { stdin: input, stdout: output } = process;
  return input.isTTY && screen.isTty ? createDialogue({ input, output }) : null;
}
