import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type Decision, deskId, MESSAGES, type TicketStatus } from '../../workflows/contract.js';
import { ERRORS, type ErrorCode, MedicError } from '../domain/errors.js';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import { type AnswerOptions, answerAs } from './answer.js';
import { EXIT } from './exit-codes.js';
import type { Screen } from './screen.js';
import { type Session, withLiveSession } from './session.js';
import { speaker } from './speaker.js';
import { typedCommand } from './typed-command.js';

interface Common {
  readonly home: string;
  readonly by?: string;
}

/** `medic hint T TEXT` */
export const hint = (ticket: string, text: string, options: Common, screen: Screen): Promise<number> =>
  send(ticket, options, screen, { name: MESSAGES.hint, message: { by: speaker(options.by), text }, said: 'hint' });

/** `medic abort T --reason [--kill]`, `medic close T --reason` and `medic take T --reason` */
export async function end(
  kind: 'abort' | 'close' | 'take',
  ticket: string,
  { home, by, reason, kill }: Common & { readonly reason: string; readonly kill?: true },
  screen: Screen,
): Promise<number> {
  const message = { by: speaker(by), reason, ...(kill ? { kill } : {}) };
  const code = await send(ticket, { home }, screen, { name: MESSAGES[kind], message, said: kind });
  if (kind === 'take') {
    screen.err('Medic only watches it now. When you are done:');
    screen.err(`  ${typedCommand(`hint ${ticket} TEXT`, home)}  gives it back, with what you did`);
    screen.err(`  ${typedCommand(`close ${ticket} --reason TEXT`, home)}  ends it`);
  }
  return code;
}

const send = (
  text: string,
  { home }: Common,
  screen: Screen,
  { name, message, said }: { name: string; message: unknown; said: string },
): Promise<number> =>
  withLiveSession(home, async ({ book, client }) => {
    const id = await book.resolve(text);
    const { phase } = await book.status(id);
    if (isClosed(phase as Phase)) throw new MedicError('MEDIC_TICKET_CLOSED', `${id} is closed (${phase})`);
    await client.workflow.getHandle(ticketWorkflowId(id)).signal(name, message);
    screen.out(`${id} ${said} sent`);
    return EXIT.ok;
  });

/** What was on the card that a person answers. */
export interface Seen {
  readonly proposal: { readonly id: Decision['proposal'] };
  readonly basisHash: string;
}

/**
 * The pending proposal, if it is still the one that was seen.
 *
 * @throws MedicError `MEDIC_DECIDE_NOTHING_PENDING`, `MEDIC_DECIDE_STALE`
 */
export async function pendingOf(
  { book }: Session,
  id: TicketId,
  seen?: Seen,
): Promise<NonNullable<TicketStatus['pending']>> {
  const { pending, phase } = await book.status(id);
  if (isClosed(phase as Phase)) throw new MedicError('MEDIC_TICKET_CLOSED', `${id} is closed (${phase})`);
  if (!pending) throw new MedicError('MEDIC_DECIDE_NOTHING_PENDING', `${id} has no pending proposal`);
  const isSeen = !seen || (seen.proposal.id === pending.proposal.id && seen.basisHash === pending.basisHash);
  if (isSeen) return pending;
  throw new MedicError(
    'MEDIC_DECIDE_STALE',
    `${id} has changed: #${pending.proposal.number} waits now, or on other facts`,
  );
}

/** `medic approve T --reason` and `medic deny T --reason`: answers the pending proposal, as seen or as it is now. */
export const decide = (
  answer: 'approve' | 'deny',
  text: string,
  options: Common & AnswerOptions & { readonly reason: string; readonly seen?: Seen },
  screen: Screen,
): Promise<number> =>
  withLiveSession(options.home, async (session) => {
    const { book, client } = session;
    const id = await book.resolve(text);
    const pending = await pendingOf(session, id, options.seen);
    const decision = await answerAs(options, { pending, said: { answer, note: options.reason }, now: Date.now() });
    const handle = client.workflow.getHandle(ticketWorkflowId(id));
    const said = await handle
      .executeUpdate<string, [typeof decision]>(MESSAGES.decide, { args: [decision] })
      .catch((error: unknown) => Promise.reject(asMedicError(error)));
    screen.out(`${id} ${said}`);
    return EXIT.ok;
  });

/** What a workflow refused, as our error; anything else as it is. */
export function asMedicError(error: unknown): unknown {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) return error;
  const { type, message } = error.cause;
  return type && type in ERRORS ? new MedicError(type as ErrorCode, message) : error;
}

/** `medic freeze --reason` and `medic unfreeze`: nothing acts on the subject while it is frozen. */
export const setFreeze = (
  state: 'freeze' | 'unfreeze',
  options: Common & { readonly subject: string; readonly reason?: string },
  screen: Screen,
): Promise<number> =>
  withLiveSession(options.home, async ({ client }) => {
    const by = speaker(options.by);
    const message = state === 'freeze' ? { by, reason: options.reason ?? '' } : { by };
    await client.workflow
      .getHandle(deskId(options.subject))
      .signal(MESSAGES[state], message)
      .catch((error: unknown) => Promise.reject(asUnknownSubject(error, options.subject)));
    screen.out(`${options.subject} ${state === 'freeze' ? 'frozen: nothing acts on it' : 'open for repairs again'}`);
    return EXIT.ok;
  });

/** No desk is an unknown subject; anything else stays as it is. */
export const asUnknownSubject = (error: unknown, subject: string): unknown =>
  error instanceof WorkflowNotFoundError
    ? new MedicError('MEDIC_SUBJECT_UNKNOWN', `no subject ${subject} is watched here`)
    : error;
