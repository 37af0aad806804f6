import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { deskId, MESSAGES } from '../../workflows/contract.js';
import { ERRORS, type ErrorCode, MedicError } from '../domain/errors.js';
import { ticketWorkflowId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import { type AnswerOptions, answerAs } from './answer.js';
import { EXIT } from './exit-codes.js';
import type { Screen } from './screen.js';
import { withLiveSession } from './session.js';
import { speaker } from './speaker.js';

interface Common {
  readonly home: string;
  readonly by?: string;
}

/** `medic hint T TEXT` */
export const hint = (ticket: string, text: string, options: Common, screen: Screen): Promise<number> =>
  send(ticket, options, screen, { name: MESSAGES.hint, message: { by: speaker(options.by), text }, said: 'hint' });

/** `medic abort T --reason` and `medic close T --reason` */
export const end = (
  kind: 'abort' | 'close',
  ticket: string,
  options: Common & { readonly reason: string },
  screen: Screen,
): Promise<number> =>
  send(ticket, options, screen, {
    name: MESSAGES[kind],
    message: { by: speaker(options.by), reason: options.reason },
    said: kind,
  });

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

/** `medic approve T --reason` and `medic deny T --reason`: answers the pending proposal as it is now. */
export const decide = (
  answer: 'approve' | 'deny',
  text: string,
  options: Common & AnswerOptions & { readonly reason: string },
  screen: Screen,
): Promise<number> =>
  withLiveSession(options.home, async ({ book, client }) => {
    const id = await book.resolve(text);
    const { pending, phase } = await book.status(id);
    if (isClosed(phase as Phase)) throw new MedicError('MEDIC_TICKET_CLOSED', `${id} is closed (${phase})`);
    if (!pending) throw new MedicError('MEDIC_DECIDE_NOTHING_PENDING', `${id} has no pending proposal`);
    const decision = await answerAs(options, { pending, said: { answer, note: options.reason }, now: Date.now() });
    const handle = client.workflow.getHandle(ticketWorkflowId(id));
    const said = await handle
      .executeUpdate<string, [typeof decision]>(MESSAGES.decide, { args: [decision] })
      .catch((error: unknown) => Promise.reject(asMedicError(error)));
    screen.out(`${id} ${said}`);
    return EXIT.ok;
  });

function asMedicError(error: unknown): unknown {
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

const asUnknownSubject = (error: unknown, subject: string): unknown =>
  error instanceof WorkflowNotFoundError
    ? new MedicError('MEDIC_SUBJECT_UNKNOWN', `no subject ${subject} is watched here`)
    : error;
