import { confidenceOf, leading } from './board.js';
import { boardLines } from './board-lines.js';
import { causeName } from './cause.js';
import { between } from './ids.js';
import { seconds, tell, tellEvidence, tellSpent } from './story.js';
import { type Ticket, targetOf } from './ticket.js';
import type { TrailEvent } from './trail.js';

/**
 * What a person needs to take over: symptom, picture, board, what was tried, what is left, links. Plain text, at most
 * a screen and a half.
 */
export function writeBrief(ticket: Ticket, reason: string): string {
  return [
    `${ticket.id} needs a person: ${reason}`,
    '',
    `symptom   ${ticket.symptom} (since ${ticket.openedAt})`,
    `active    ${list(ticket.violations.map((v) => v.message))}`,
    `picture   ${list(lastPicture(ticket))}`,
    'board',
    ...indent(boardLines(ticket.board)),
    'tried',
    ...indent(tried(ticket)),
    'looks',
    ...indent(
      ticket.evidence
        .filter((e) => e.call)
        .slice(-12)
        .map(tellEvidence),
    ),
    `left      ${left(ticket)}`,
    `next      ./medic show ${ticket.id} · ./medic hint ${ticket.id} TEXT · ./medic close ${ticket.id} --reason TEXT`,
  ].join('\n');
}

const list = (items: readonly string[]): string => (items.length > 0 ? items.join(' · ') : 'nothing');
const indent = (lines: readonly string[]): string[] =>
  (lines.length > 0 ? lines : ['nothing']).map((line) => `  ${line}`);

function lastPicture(ticket: Ticket): readonly string[] {
  const event = ticket.trail.events.findLast((e) => e.type === 'picture');
  return event?.type === 'picture' ? event.lines : [];
}

const tried = (ticket: Ticket): string[] =>
  ticket.proposals.map(
    (p) => `#${p.number} ${p.title} (${causeName(p.cause)}): ${p.end ?? 'open'}${p.note ? `, ${p.note}` : ''}`,
  );

function left({ limits, spent }: Ticket): string {
  return `${limits.turns - spent.turns} turns · ${limits.looks - spent.looks} looks · ${limits.acts - spent.acts} acts`;
}

/** The report of a closed ticket, in Markdown: the same telling as the screen, with the numbers on top. */
export function writeReport(ticket: Ticket): string {
  const belief = leading(ticket.board);
  const start = ticket.trail.events[0]?.at ?? ticket.openedAt;
  return [
    `# ${ticket.id}: ${ticket.phase}`,
    '',
    ticket.symptom,
    '',
    '| | |',
    '|---|---|',
    `| severity, target | ${ticket.severity}, ${targetOf(ticket) ?? '-'} |`,
    `| filed | ${ticket.openedAt} |`,
    `| cause | ${belief ? `${causeName(belief.cause)} (${belief.status}, ${confidenceOf(belief).toFixed(2)})` : 'none named'} |`,
    `| proof | ${ticket.proof ? `${ticket.proof.result}, cause gone: ${ticket.proof.causeGone}` : 'none'} |`,
    `| used | ${tellSpent(ticket.spent)} |`,
    `| environment, agent | ${ticket.environment}, ${ticket.agent} |`,
    '',
    '## Board',
    '',
    ...bullets(boardLines(ticket.board)),
    '',
    '## What happened',
    '',
    ...ticket.trail.events.flatMap((event) => tellForReport(event, start)),
    '',
    '## Evidence',
    '',
    ...bullets(ticket.evidence.map((e) => `${tellEvidence(e)} (sha256 ${e.sha256.slice(0, 12)}, ${e.bytes} bytes)`)),
    ...(ticket.brief ? ['', '## Brief', '', '```', ticket.brief, '```'] : []),
    '',
  ].join('\n');
}

const bullets = (lines: readonly string[]): string[] =>
  (lines.length > 0 ? lines : ['nothing']).map((line) => `- ${line}`);

function tellForReport(event: TrailEvent, start: string): string[] {
  const { tag, lines, details } = tell(event);
  const [first, ...rest] = [...lines, ...details];
  return [`- t+${seconds(between(start, event.at))} **${tag}** ${first ?? ''}`, ...rest.map((line) => `  - ${line}`)];
}
