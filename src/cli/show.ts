import type { TicketStatus } from '../../workflows/contract.js';
import type { Hypothesis } from '../domain/hypothesis.js';
import { describeCall } from '../domain/query.js';
import { tellHypothesis } from '../domain/story.js';
import { age, bold, printJson, type Screen } from './screen.js';
import { openSession } from './session.js';

export interface ShowOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** `medic show T`: everything about one ticket on one screen. */
export async function showTicket(text: string, options: ShowOptions, screen: Screen): Promise<number> {
  const session = await openSession(options.home);
  try {
    const id = await session.book.resolve(text);
    const [status, board] = await Promise.all([session.book.status(id), session.book.board(id)]);
    if (options.json) printJson(screen, 'ticket', { ...status, board });
    else for (const line of describe(status, board)) screen.out(line);
    return 0;
  } finally {
    await session.close();
  }
}

function describe(status: TicketStatus, board: readonly Hypothesis[]): string[] {
  return [
    bold(
      `${status.ticket}  ${status.phase}   severity ${status.severity}   age ${age(Date.now() - Date.parse(status.openedAt))}   waits for ${status.waitsFor}`,
    ),
    `symptom  ${status.symptom}`,
    ...section(
      'active',
      status.violations.map((v) => `${v.invariant}: ${v.message}`),
    ),
    ...section('board', board.map(tellHypothesis)),
    ...(status.pending ? describePending(status.pending) : []),
    ...(status.proof ? [`proof    ${status.proof.result}; cause gone: ${status.proof.causeGone}`] : []),
    `used     ${status.spent.turns} turns · ${status.spent.looks} looks · ${status.spent.acts} acts · ${status.spent.usd.toFixed(2)} $`,
    ...(status.brief ? ['', status.brief] : []),
  ];
}

const section = (name: string, lines: readonly string[]): string[] =>
  (lines.length > 0 ? lines : ['nothing']).map((line, i) => `${(i === 0 ? name : '').padEnd(8)} ${line}`);

function describePending({
  proposal,
  ruling,
  basis,
  basisHash,
  expiresAt,
}: NonNullable<TicketStatus['pending']>): string[] {
  return [
    bold(`PROPOSAL #${proposal.number}  ${proposal.title}`),
    ...proposal.steps.map((step, i) => `  step ${i + 1}  ${describeCall(step.call)}`),
    `  ruling  ${ruling ? `${ruling.kind}: ${ruling.reason}` : 'being judged'}`,
    `  effect  ${proposal.effect}`,
    `  undo    ${proposal.steps.map((s) => s.inverse.kind).join(', ')}`,
    `  basis   ${basis.map((f) => `${f.fact}=${f.value}`).join(' · ')}`,
    `  answer  proposal ${proposal.id} · basis ${basisHash}${expiresAt ? ` · expires ${expiresAt}` : ''}`,
  ];
}
