import { QUERIES } from '../../workflows/contract.js';
import { MedicError } from '../domain/errors.js';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { Ticket } from '../domain/ticket.js';
import { amend } from './amend.js';
import { type CardActions, converse } from './converse.js';
import { type CardView, printCard } from './decision-card.js';
import { type Dialogue, terminalDialogue } from './dialogue.js';
import { EXIT } from './exit-codes.js';
import { decide, end, hint } from './messages.js';
import type { Screen } from './screen.js';
import { type LiveSession, withLiveSession } from './session.js';
import { typedCommand } from './typed-command.js';

export interface DecideOptions {
  readonly home: string;
  readonly by?: string;
}

/**
 * `medic decide T`: the decision card. On a terminal it asks what to do; elsewhere it only shows the card and ends with 8, as
 * somebody is waited for.
 */
export const decideVerb = (
  text: string,
  options: DecideOptions,
  screen: Screen,
  dialogue: Dialogue | null = terminalDialogue(screen),
): Promise<number> =>
  withLiveSession(options.home, async (session) => {
    const id = await session.book.resolve(text);
    const view = await readCard(session, id);
    const actions = actionsOn(id, options, { screen, reread: () => readCard(session, id) });
    if (dialogue) return converse({ view, actions, dialogue, screen });
    printCard(view, screen);
    screen.err(typedCommand(`approve ${id} --reason TEXT`, options.home));
    screen.err(typedCommand(`deny ${id} --reason TEXT`, options.home));
    return EXIT.pending;
  });

/** `medic approve T` and `medic deny T`: with a reason the answer is sent; without one, on a terminal, the card asks. */
export function answerOrAsk(
  answer: 'approve' | 'deny',
  text: string,
  options: DecideOptions & { readonly reason?: string },
  screen: Screen,
): Promise<number> {
  const { reason } = options;
  if (reason !== undefined) return decide(answer, text, { ...options, reason }, screen);
  const dialogue = terminalDialogue(screen);
  if (dialogue) return decideVerb(text, options, screen, dialogue);
  const words = `${answer} needs --reason where nobody can be asked`;
  throw new MedicError('MEDIC_USAGE', words, `See \`./medic ${answer} --help\`.`);
}

async function readCard({ book, client }: LiveSession, id: TicketId): Promise<CardView> {
  const status = await book.status(id);
  if (isClosed(status.phase as Phase)) throw new MedicError('MEDIC_TICKET_CLOSED', `${id} is closed (${status.phase})`);
  const { pending } = status;
  if (!pending?.expiresAt)
    throw new MedicError('MEDIC_DECIDE_NOTHING_PENDING', `${id} waits for no answer (${status.phase})`);
  const { board, evidence } = await client.workflow.getHandle(ticketWorkflowId(id)).query<Ticket>(QUERIES.ticket);
  return { status: { ...status, pending }, board, evidence, now: Date.now() };
}

const actionsOn = (
  id: TicketId,
  options: DecideOptions,
  { screen, reread }: { readonly screen: Screen; readonly reread: () => Promise<CardView> },
): CardActions => ({
  decide: (answer, reason, { status: { pending } }) =>
    decide(answer, id, { ...options, reason, seen: pending }, screen),
  amend: (reason, { status: { pending } }) => amend(id, { ...options, reason, seen: pending }, screen),
  hint: (text) => hint(id, text, options, screen),
  take: (reason) => end('take', id, { ...options, reason }, screen),
  reread,
});
