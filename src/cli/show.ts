import { join, resolve } from 'node:path';
import type { TicketStatus } from '../../workflows/contract.js';
import { tellNeed } from '../domain/approval.js';
import { boardLines } from '../domain/board-lines.js';
import type { Hypothesis } from '../domain/hypothesis.js';
import { isClosed, type Phase } from '../domain/phases.js';
import { describeCall } from '../domain/query.js';
import { tellGrounds, tellInverse, tellRuling, tellSpent } from '../domain/story.js';
import { allSettled } from '../runtime/all-settled.js';
import { age } from './age.js';
import { EXIT } from './exit-codes.js';
import { printLine, printSection } from './paragraph.js';
import { printJson, type Screen } from './screen.js';
import { withSession } from './session.js';
import { waitsFor } from './tickets.js';
import { typedCommand } from './typed-command.js';

export interface ShowOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** `medic show T`: everything that matters of one ticket, on one screen. */
export const showTicket = (text: string, options: ShowOptions, screen: Screen): Promise<number> =>
  withSession({ home: options.home, screen }, async ({ book }) => {
    const id = await book.resolve(text);
    const [status, board] = await allSettled([book.status(id), book.board(id)]);
    if (options.json) printJson(screen, 'ticket', { ...status, board });
    else printTicket({ status, board, home: options.home, now: Date.now() }, screen);
    return EXIT.ok;
  });

export interface TicketView {
  readonly status: TicketStatus;
  readonly board: readonly Hypothesis[];
  readonly home: string;
  /** ms */
  readonly now: number;
}

/** The screen of `medic show`; lines are whole in a pipe. */
export function printTicket(view: TicketView, screen: Screen): void {
  printLine(screen, headline(view), screen.paint.bold);
  for (const [name, lines] of sections(view)) printSection(screen, name, lines);
  const { brief } = view.status;
  if (brief) for (const line of ['', ...brief.split('\n')]) printLine(screen, line);
}

function headline({ status, now }: TicketView): string {
  const waits = isClosed(status.phase as Phase) ? '' : ` · waits for ${waitsFor(status, now)}`;
  const opened = age(now - Date.parse(status.openedAt));
  return `${status.ticket}  ${status.phase}  severity ${status.severity} · opened ${opened} ago${waits}`;
}

function sections({ status, board, home }: TicketView): (readonly [string, readonly string[]])[] {
  const { pending, proof, spent, violations } = status;
  return [
    ['symptom', [status.symptom]],
    ['active', orNothing(violations.map((v) => `${v.invariant}: ${v.message}`))],
    ['board', orNothing(boardLines(board))],
    ...(pending ? [[`plan #${pending.proposal.number}`, planLines(status.ticket, pending, home)] as const] : []),
    ...(proof ? [['proof', [`${proof.result}; cause gone: ${words(proof.causeGone)}`]] as const] : []),
    ['used', [tellSpent(spent)]],
    ...nextSections(status, home),
  ];
}

const orNothing = (lines: readonly string[]) => (lines.length > 0 ? lines : ['nothing']);

const words = (gone: boolean | 'unknown') => (gone === 'unknown' ? gone : gone ? 'yes' : 'no');

function planLines(ticket: string, pending: NonNullable<TicketStatus['pending']>, home: string): string[] {
  const answer = (verb: string) => typedCommand(`${verb} ${ticket} --reason TEXT`, home);
  const { proposal, ruling, basis, need, approvals, changes = [] } = pending;
  return [
    proposal.by === undefined ? proposal.title : `${proposal.title} (by ${proposal.by})`,
    ...changes.map((line) => `changed ${line}`),
    ...tellGrounds(proposal).map(({ name, words: said }) => `${name.padEnd(7)} ${said}`),
    ...proposal.steps.map((step, i) => `step ${i + 1}  ${describeCall(step.call)} (undo: ${tellInverse(step)})`),
    `ruling  ${ruling ? tellRuling(ruling) : 'being judged'}`,
    `effect  ${proposal.effect}`,
    `risk    ${proposal.risk}`,
    `basis   ${basis.map((f) => `${f.fact}=${f.value}`).join(' · ')}`,
    ...(need && pending.expiresAt ? [`who     ${tellNeed(need)}`] : []),
    ...approvals.map(({ by, expiresAt }) => `yes     ${by}, until ${expiresAt}`),
    ...(pending.expiresAt
      ? [
          `answer  ${answer('approve')}`,
          `        ${answer('deny')}`,
          `by hand proposal ${proposal.id} · basis ${pending.basisHash}`,
        ]
      : []),
  ];
}

function nextSections({ ticket, phase }: TicketStatus, home: string): (readonly [string, readonly string[]])[] {
  if (!isClosed(phase as Phase))
    return [['next', [typedCommand(`watch ${ticket}`, home), typedCommand(`hint ${ticket} TEXT`, home)]]];
  return [
    ['report', [join(resolve(home), 'tickets', `${ticket.replace('/', '-')}.md`)]],
    ['next', [typedCommand(`trail ${ticket}`, home), typedCommand(`replay ${ticket}`, home)]],
  ];
}
