import { boardOfTurn } from './board-lines.js';
import { causeName } from './cause.js';
import type { Evidence } from './evidence.js';
import { between, type Instant } from './ids.js';
import type { Spent } from './limits.js';
import type { Move } from './phases.js';
import type { ProofSample } from './proof.js';
import type { Proposal, Ruling, Step } from './proposal.js';
import { describeCall } from './query.js';
import type { Happening, TrailEvent } from './trail.js';
import { violationName } from './violation.js';

/** One paragraph of the story. Screens wrap and colour it, reports make a list of it. */
export interface Paragraph {
  readonly tag: string;
  /** What a person who follows it live has to read. Empty: other paragraphs say it already. */
  readonly lines: readonly string[];
  /** The rest, for whoever reads the whole record. */
  readonly details: readonly string[];
}

/** Tells one event to a person. The one telling that the demo, `watch`, `trail`, `replay` and the report share. */
export function tell(event: TrailEvent): Paragraph {
  const { tag, lines, details = [] } = words(event);
  return { tag, lines, details };
}

type Words = Pick<Paragraph, 'tag' | 'lines'> & Partial<Paragraph>;

function words(event: Happening): Words {
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
      return tellMove(event);
    case 'sighted':
      return { tag: 'also', lines: event.violations.map((v) => `${v.invariant}: ${v.message}`) };
    case 'cleared':
      return { tag: 'clear', lines: [`holds again: ${event.violations.map(violationName).join(', ')}`] };
    case 'turn':
      return { tag: `turn ${event.turn}`, lines: [], details: [`run ${event.run}`] };
    case 'reset':
      return { tag: 'reset', lines: [`turn ${event.turn} again, on what holds now`], details: [`run ${event.run}`] };
    case 'picture':
      return {
        tag: 'picture',
        lines: [`${event.evidence} ${event.lines[0] ?? 'empty'}`],
        details: event.lines.slice(1),
      };
    case 'looked':
      return { tag: 'looks', lines: event.evidence.map(tellEvidence), details: [`why: ${event.why}`] };
    case 'thought':
      return {
        tag: 'board',
        lines: [...boardOfTurn(event.board), ...(event.notes ?? [])],
        details: [`${thinker(event)}, ${event.model === null ? '0' : event.usd.toFixed(4)} $, next: ${event.next}`],
      };
    case 'returned':
      return {
        tag: 'back',
        lines: event.missing.map((missing) => `${RETURNED[event.about ?? 'proposal']}: ${missing}`),
      };
    case 'proposed':
      return { tag: `plan #${event.proposal.number}`, ...tellProposal(event.proposal) };
    case 'ruled':
      return {
        tag: 'ruling',
        lines: [tellRuling(event.ruling), ...(event.margin ? [`quorum: ${event.margin}`] : [])],
        details: [`basis ${event.basisHash}`],
      };
    case 'asked':
      return {
        tag: 'waits',
        lines: [
          `for your answer to ${event.question}`,
          ...(event.needs ? [`who may approve: ${event.needs}`] : []),
          ...(event.changes ?? []).map((change) => `changed: ${change}`),
          ...(event.expiresAt ? [`until ${event.expiresAt}; no answer runs nothing`] : []),
        ],
      };
    case 'decided':
      return { tag: 'answer', lines: [tellAnswer(event)] };
    case 'unauthorised':
      return {
        tag: 'answer',
        lines: [`#${event.proposal} ${event.answer} by ${event.by} does not count: ${event.reason}`],
        details: [event.code],
      };
    case 'amended':
      return {
        tag: 'amended',
        lines: [`#${event.proposal} by ${event.by}, as #${event.to}${noted(event.note)}`],
      };
    case 'taken':
      return { tag: 'taken', lines: [`by ${event.by}: ${event.reason}; Medic only watches`] };
    case 'told':
      return { tag: 'told', lines: [`${event.who.join(', ')}: still waiting for ${event.waitingFor}`] };
    case 'stale':
      return { tag: 'stale', lines: [`${event.message} ignored: ${event.reason}`] };
    case 'hint':
      return { tag: 'hint', lines: [`${event.by}: ${event.text}`] };
    case 'gate':
      return event.granted
        ? { tag: 'gate', lines: [], details: [`open: ${event.reason}`] }
        : { tag: 'gate', lines: [`shut: ${event.reason}`] };
    case 'acted':
      return tellAct(event);
    case 'settled':
      return {
        tag: 'settled',
        lines: [`${event.reason}; the effect is ${event.done ? 'there' : 'not there'}`],
        details: [`journal ${event.journal}`],
      };
    case 'sampled':
      return { tag: 'proof', ...tellSample(event.sample, dots(event.inRow, event.needed)) };
    case 'confirmed':
      return {
        tag: 'board',
        lines: [],
        details: [`${event.hypothesis} ${causeName(event.cause)} confirmed by the proof (${event.evidence.join(' ')})`],
      };
    case 'proof':
      return { tag: 'proof', lines: [tellProof(event)] };
    case 'undid':
      return { tag: 'undo', lines: [`step ${event.step}: ${event.command} -> ${event.outcome}`] };
    case 'concluded':
      return { tag: 'end', lines: [`${event.conclusion}: ${event.why} (${event.evidence.join(' ')})`] };
    case 'reminded':
      return { tag: 'remind', lines: [`still waiting for ${event.waitingFor}`] };
    case 'escalated':
      return { tag: 'person', lines: [`needed: ${event.reason}`] };
    case 'closed':
      return { tag: 'closed', lines: [`${event.phase} by ${event.by}${noted(event.note)}`] };
    case 'archived':
      return { tag: 'report', lines: [event.report] };
  }
}

/** `claude (claude-sonnet-5-5, system@1 on-call-triage@2)`, `rules` */
function thinker({ reasoner, model, prompt }: Extract<Happening, { type: 'thought' }>): string {
  const by = [model, prompt].filter((part) => part !== null && part !== undefined);
  return by.length === 0 ? reasoner : `${reasoner} (${by.join(', ')})`;
}

const RETURNED = {
  proposal: 'not well founded',
  hypothesis: 'not put on the board',
  conclusion: 'not concluded',
  repetition: 'no progress',
} as const;

/** Moves that no other event of the trail explains. */
const UNEXPLAINED: ReadonlySet<Move> = new Set([
  'expired',
  'basisChanged',
  'notRun',
  'notBetter',
  'worse',
  'interrupted',
  'undone',
  'selfCleared',
  'askedAgain',
]);

function tellMove({ from, to, why, because }: Extract<Happening, { type: 'moved' }>): Words {
  const line = `${from} -> ${to}: ${because}`;
  return UNEXPLAINED.has(why) ? { tag: 'phase', lines: [line] } : { tag: 'phase', lines: [], details: [line] };
}

function tellAct(event: Extract<Happening, { type: 'acted' }>): Words {
  const exit = event.exit === null ? '' : ` (exit ${event.exit})`;
  const reason = event.reason === '' || event.reason === `exit ${event.exit}` ? [] : [event.reason];
  return {
    tag: 'act',
    lines: [`${event.command} -> ${event.outcome}${exit}`, ...reason],
    details: [`journal ${event.journal}`],
  };
}

/** The reason of a good one says the rest: `healthy 6 of 6; cause gone (after 11.4 s)`. */
function tellProof({ result, reason, overMs }: Extract<Happening, { type: 'proof' }>): string {
  return result === 'healthy'
    ? `${reason} (after ${seconds(overMs)})`
    : `${result} after ${seconds(overMs)}: ${reason}`;
}

/** A sample that is not good names what is broken; how exactly is detail. */
function tellSample({ broken, causeGone, reason }: ProofSample, row: string): Pick<Words, 'lines' | 'details'> {
  if (broken.length === 0) return { lines: [`${row} ${reason}`] };
  const cause = causeGone === 'no' ? '; the cause is not gone' : '';
  return { lines: [`${row} broken: ${broken.map(plainName).join(', ')}${cause}`], details: [reason] };
}

/** `tikv:store-up:tikv-0` to `store-up tikv-0`. */
function plainName(print: string): string {
  const [, invariant = print, target = null] = print.split(':');
  return violationName({ invariant, target: target === '-' ? null : target });
}

/** `e2 lab$ labctl inspect tikv-2 -> tikv-2 exited 137, died` */
export function tellEvidence(evidence: Evidence): string {
  const asked = evidence.call ? describeCall(evidence.call) : 'picture';
  return `${evidence.id} ${asked} -> ${evidence.failure ?? evidence.line}`;
}

function tellProposal({ title, steps, effect, risk, by, ...grounds }: Proposal): Pick<Words, 'lines'> {
  return {
    lines: [
      by === undefined ? title : `${title} (by ${by})`,
      ...tellGrounds(grounds).map(({ name, words }) => `${name}: ${words}`),
      ...steps.map((step, i) => `step ${i + 1}: ${describeCall(step.call)} (undo: ${tellInverse(step)})`),
      `effect: ${effect}`,
      `risk: ${risk}`,
    ],
  };
}

/** What was tested and what else was considered, in a line each; nothing for a proposal that named neither. */
export function tellGrounds({
  test,
  alternative,
}: Pick<Proposal, 'test' | 'alternative'>): { readonly name: string; readonly words: string }[] {
  return [
    ...(test ? [{ name: 'test', words: `${test.evidence}; would have refuted it: ${test.wouldHaveRefuted}` }] : []),
    ...(alternative ? [{ name: 'weighed', words: `${causeName(alternative.cause)}: ${alternative.why}` }] : []),
  ];
}

/** `none, restorative: it takes nothing away`, or what takes it back. */
export const tellInverse = ({ inverse }: Step): string =>
  inverse.kind === 'restore' ? inverse.describe : `${inverse.kind}, ${inverse.why}`;

/** `forbidden MEDIC_POLICY_QUORUM: ...`: the code of a refusal leads to its page. */
export const tellRuling = ({ kind, code, reason }: Ruling): string => `${kind}${code ? ` ${code}` : ''}: ${reason}`;

/** `#2 approve by ana (signed, 1 of 2): go` */
function tellAnswer({ proposal, answer, by, note, signed, count }: Extract<Happening, { type: 'decided' }>): string {
  const how = [
    ...(signed === undefined ? [] : [signed ? 'signed' : 'unsigned']),
    ...(count && count.need > 1 ? [`${count.have} of ${count.need}`] : []),
  ];
  return `#${proposal} ${answer} by ${by}${how.length > 0 ? ` (${how.join(', ')})` : ''}${noted(note)}`;
}

const noted = (note: string): string => (note === '' ? '' : `: ${note}`);

/** `●●○○○○`: how many of the samples in a row that a proof needs are there. */
export const dots = (filled: number, of: number): string =>
  '●'.repeat(Math.min(filled, of)) + '○'.repeat(Math.max(0, of - filled));

/** `2 turns · 5 looks · 1 act · 0.00 $` */
export const tellSpent = ({ turns, looks, acts, usd }: Spent): string =>
  `${counted(turns, 'turn')} · ${counted(looks, 'look')} · ${counted(acts, 'act')} · ${usd.toFixed(2)} $`;

/** `1 act`, `5 looks` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `3.2 s` */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Time since a start, as screens show it: `t+3.2`. */
export const sinceStart = (at: Instant, start: Instant): string => `t+${(between(start, at) / 1000).toFixed(1)}`;
