import { tellNeed } from '../../src/domain/approval.js';
import { confidenceHistory, evidenceList } from '../../src/domain/board-lines.js';
import { causeName } from '../../src/domain/cause.js';
import { describeCall } from '../../src/domain/query.js';
import { tellGrounds } from '../../src/domain/story.js';
import type { Ticket } from '../../src/domain/ticket.js';

/** Markdown for the Temporal UI: phase, what is awaited, the board, the pending plan, the proof. */
export function currentDetails(ticket: Ticket, awaiting: string): string {
  return [
    `**${ticket.phase}** — ${awaiting}`,
    `${ticket.symptom} (${ticket.severity}, turn ${ticket.turn})`,
    board(ticket),
    plan(ticket),
    ticket.proof ? `Proof: **${ticket.proof.result}**, cause gone: ${ticket.proof.causeGone}` : '',
    ticket.brief ? `\`\`\`\n${ticket.brief}\n\`\`\`` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function board({ board: hypotheses }: Ticket): string {
  if (hypotheses.length === 0) return '';
  const rows = hypotheses.map((h) =>
    row([
      h.id,
      causeName(h.cause),
      h.status,
      confidenceHistory(h),
      evidenceList(h.for),
      evidenceList(h.against),
      h.because,
    ]),
  );
  return [
    row(['', 'cause', 'status', 'confidence', 'for', 'against', 'because']),
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Words of a reasoner must not make columns of their own. */
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '/').replace(/\s+/g, ' ')).join(' | ')} |`;

function plan({ pending }: Ticket): string {
  if (!pending) return '';
  const { proposal, ruling } = pending;
  const grounds = tellGrounds(proposal).map(({ name, words }) => `${name}: ${words}`);
  const steps = proposal.steps.map((step, i) => `${i + 1}. \`${describeCall(step.call)}\``);
  const verdict = ruling ? `Ruling: **${ruling.kind}** — ${ruling.reason}` : 'Being judged.';
  const answer = pending.expiresAt
    ? [
        ...(pending.need ? [`May be approved by ${tellNeed(pending.need)}`] : []),
        ...(pending.approvals ?? []).map(({ by, expiresAt }) => `Approved by ${by}, until ${expiresAt}`),
        `Update \`decide\`: proposal \`${proposal.id}\`, basis \`${pending.basisHash}\``,
      ]
    : [];
  return [`Plan #${proposal.number}: ${proposal.title}`, ...grounds, ...steps, verdict, ...answer].join('\n');
}
