import { confidenceOf } from './board.js';
import { causeName } from './cause.js';
import type { Evidence } from './evidence.js';
import type { Hypothesis } from './hypothesis.js';
import { between } from './ids.js';
import type { Step } from './proposal.js';
import { describeCall } from './query.js';
import type { TrailEvent } from './trail.js';

/** One paragraph of the story: a tag, and lines under it. Screens indent and colour it, reports make a list of it. */
export interface Paragraph {
  readonly tag: string;
  readonly lines: readonly string[];
}

/**
 * Tells one event to a person. The one telling that the demo, `watch`, `trail`, `replay` and the report share.
 * `null`: the event is not worth a line of its own.
 */
export function tell(event: TrailEvent): Paragraph | null {
  switch (event.type) {
    case 'filed':
      return {
        tag: 'ticket',
        lines: [
          `${event.ticket} filed: ${event.violations.map((v) => v.message).join('; ')}`,
          ...(event.recurrenceOf ? [`a recurrence of ${event.recurrenceOf}`] : []),
        ],
      };
    case 'moved':
      return event.to === 'investigating' && event.from === 'filed'
        ? null
        : { tag: 'phase', lines: [`${event.from} -> ${event.to}: ${event.because}`] };
    case 'sighted':
      return { tag: 'also', lines: event.violations.map((v) => `${v.invariant}: ${v.message}`) };
    case 'cleared':
      return {
        tag: 'clear',
        lines: event.violations.map((v) => `${v.invariant}${v.target ? ` ${v.target}` : ''} holds again`),
      };
    case 'turn':
      return null;
    case 'picture':
      return { tag: 'picture', lines: [`${event.evidence} ${event.lines.join(' · ')}`] };
    case 'looked':
      return { tag: 'looks', lines: [event.why, ...event.evidence.map(tellEvidence)] };
    case 'thought':
      return { tag: 'board', lines: [...event.board.map(tellHypothesis), `${event.reasoner} next: ${event.next}`] };
    case 'returned':
      return { tag: 'back', lines: event.missing.map((missing) => `not well founded: ${missing}`) };
    case 'proposed':
      return { tag: `plan #${event.proposal.number}`, lines: tellProposal(event.proposal.steps, event.proposal) };
    case 'ruled':
      return {
        tag: 'ruling',
        lines: [`${event.ruling.kind}: ${event.ruling.reason}`, ...(event.margin ? [`quorum: ${event.margin}`] : [])],
      };
    case 'asked':
      return {
        tag: 'waits',
        lines: [event.question, ...(event.expiresAt ? [`expires ${event.expiresAt}; no answer runs nothing`] : [])],
      };
    case 'decided':
      return {
        tag: 'answer',
        lines: [`#${event.proposal} ${event.answer} by ${event.by}${event.note ? `: ${event.note}` : ''}`],
      };
    case 'stale':
      return { tag: 'stale', lines: [`${event.message} ignored: ${event.reason}`] };
    case 'hint':
      return { tag: 'hint', lines: [`${event.by}: ${event.text}`] };
    case 'gate':
      return { tag: 'gate', lines: [event.granted ? `open: ${event.reason}` : `shut: ${event.reason}`] };
    case 'acted':
      return {
        tag: 'act',
        lines: [
          `${event.command} -> ${event.outcome}${event.exit === null ? '' : ` (exit ${event.exit})`}, journal ${event.journal}`,
          ...(event.reason ? [event.reason] : []),
        ],
      };
    case 'settled':
      return {
        tag: 'settled',
        lines: [`journal ${event.journal}: ${event.reason}; the effect is ${event.done ? 'there' : 'not there'}`],
      };
    case 'sampled':
      return { tag: 'proof', lines: [`${dots(event.inRow, event.needed)} ${event.sample.reason}`] };
    case 'proof':
      return { tag: 'proof', lines: [`${event.result} after ${seconds(event.overMs)}: ${event.reason}`] };
    case 'undid':
      return { tag: 'undo', lines: [`step ${event.step}: ${event.command} -> ${event.outcome}`] };
    case 'concluded':
      return { tag: 'end', lines: [`${event.conclusion}: ${event.why} (${event.evidence.join(' ')})`] };
    case 'reminded':
      return { tag: 'remind', lines: [`still waiting for ${event.waitingFor}`] };
    case 'escalated':
      return { tag: 'person', lines: [event.reason] };
    case 'closed':
      return { tag: 'closed', lines: [`${event.phase} by ${event.by}${event.note ? `: ${event.note}` : ''}`] };
    case 'archived':
      return { tag: 'report', lines: [event.report] };
  }
}

/** `e2 lab$ labctl inspect tikv-2 -> exited 137` */
export function tellEvidence(evidence: Evidence): string {
  const asked = evidence.call ? describeCall(evidence.call) : 'picture';
  return `${evidence.id} ${asked} -> ${evidence.failure ?? evidence.line}`;
}

/** `H1 process-dead/tikv-2 0.95 supported  for e2 e3  against -  because ...` */
export function tellHypothesis(h: Hypothesis): string {
  const ids = (list: readonly string[]) => (list.length > 0 ? list.join(' ') : '-');
  return `${h.id} ${causeName(h.cause).padEnd(26)} ${confidenceOf(h).toFixed(2)} ${h.status.padEnd(9)} for ${ids(h.for)} against ${ids(h.against)}: ${h.because}`;
}

function tellProposal(steps: readonly Step[], proposal: { title: string; effect: string; risk: string }): string[] {
  return [
    proposal.title,
    ...steps.map((step, i) => `step ${i + 1}: ${describeCall(step.call)} (undo: ${tellInverse(step)})`),
    `effect: ${proposal.effect}`,
    `risk: ${proposal.risk}`,
  ];
}

const tellInverse = ({ inverse }: Step): string =>
  inverse.kind === 'restore' ? inverse.describe : `${inverse.kind}, ${inverse.why}`;

const dots = (filled: number, of: number): string =>
  '●'.repeat(Math.min(filled, of)) + '○'.repeat(Math.max(0, of - filled));

/** `3.2 s` */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Time since the ticket was filed, as screens show it: `t+3.2`. */
export const sinceStart = (event: TrailEvent, start: string): string =>
  `t+${(between(start, event.at) / 1000).toFixed(1)}`;
