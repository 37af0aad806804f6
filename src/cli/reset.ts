import { resetTicket } from '../runtime/reset.js';
import { EXIT } from './exit-codes.js';
import type { Screen } from './screen.js';
import { withLiveSession } from './session.js';
import { speaker } from './speaker.js';

export interface ResetOptions {
  readonly home: string;
  readonly turn: number;
  readonly hint: string;
  readonly by?: string;
}

/** `medic reset T --turn N --hint TEXT`: does a turn again, on facts of today, knowing the hint. */
export const reset = (text: string, { home, turn, hint, by }: ResetOptions, screen: Screen): Promise<number> =>
  withLiveSession(home, async ({ book, client }) => {
    const id = await book.resolve(text);
    const status = await book.status(id);
    await resetTicket({ client, status, turn, hint: { by: speaker(by), text: hint } });
    screen.out(`${id} goes on from turn ${turn}: it looks afresh, and no earlier approval counts`);
    screen.err(`./medic watch ${id}`);
    return EXIT.ok;
  });
