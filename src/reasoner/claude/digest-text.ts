import { causeName } from '../../domain/cause.js';
import type { Digest } from '../../domain/digest.js';
import type { Evidence } from '../../domain/evidence.js';
import type { Hypothesis } from '../../domain/hypothesis.js';
import { callBytes, describeCall } from '../../domain/query.js';
import { untrusted, untrustedLine } from './untrusted.js';

/**
 * How much of the evidence is told. `excerpts`: one line for each, and what came since the last turn with its ends.
 * `lines`: no ends. `cited`: lines of what the board cites and of the newest answer to each call; the rest is counted.
 */
export type Detail = 'excerpts' | 'lines' | 'cited';

/** From the fullest to the barest. Hypotheses are whole in each of them. */
export const DETAILS: readonly Detail[] = ['excerpts', 'lines', 'cited'];

export interface Telling {
  readonly detail: Detail;
  /** Evidence that the model has seen the excerpts of: its highest number. */
  readonly seenUpTo: number;
}

/** One turn's digest in words. Medic's own words stand plain; what machines said is quoted as untrusted. */
export function digestText(digest: Digest, { detail, seenUpTo }: Telling): string {
  const { left } = digest;
  return [
    `TURN ${digest.turn} of ticket ${digest.ticket}, subject ${digest.subject}, environment ${digest.environment}, ${digest.at}`,
    section('VIOLATED NOW', violations(digest)),
    section(
      'CLEARED',
      digest.cleared.map(({ violation, at }) => `${violation.message} (${at})`),
    ),
    section(`PICTURE ${digest.picture.evidence}`, digest.picture.lines),
    section(
      'EXPECTED by what the picture shows',
      digest.expected.map(({ kind, target, reason }) => `${kind}${target === null ? '' : ` ${target}`}: ${reason}`),
    ),
    section(
      'OTHER OPEN TICKETS',
      digest.others.map(({ ticket, target }) => `${ticket} about ${target ?? 'no target'}`),
    ),
    section('BOARD', digest.board.map(tellHypothesis)),
    section('EVIDENCE', evidenceLines(digest, detail)),
    detail === 'excerpts' ? excerpts(digest.evidence.filter((one) => numberOf(one) > seenUpTo)) : '',
    section('PROPOSALS SO FAR', digest.proposals.map(tellProposal)),
    section('NOT CARRIED OUT', digest.refusals),
    section(
      'HINTS',
      digest.hints.map(({ by, text, at }) => `${at} ${by}: ${text}`),
    ),
    `LEFT ${left.turns} turns, ${left.looks} looks, ${left.acts} acts, ${left.tokens} tokens, ${left.usd.toFixed(2)} $, ${Math.round(left.wallMs / 1000)} s`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');

const violations = ({ violations: list }: Digest): string[] =>
  list.length === 0
    ? ['nothing']
    : list.map(({ severity, invariant, message, since }) => `${severity} ${invariant}: ${message} (since ${since})`);

function tellHypothesis(hypothesis: Hypothesis): string {
  const { id, cause, status, confidence, claim, because } = hypothesis;
  const course = confidence.map(({ value }) => value.toFixed(2)).join(' > ');
  return `${id} ${causeName(cause)} ${status} ${course} | ${claim} | for ${list(hypothesis.for)} against ${list(hypothesis.against)} | ${because}`;
}

const list = (ids: readonly string[]): string => (ids.length === 0 ? '-' : ids.join(' '));

const tellProposal = ({ number, title, cause, ruling, end, note }: Digest['proposals'][number]): string =>
  `#${number} ${title} (${causeName(cause)}): ruling ${ruling ?? 'none yet'}, ${end ?? 'open'}${note ? `, ${note}` : ''}`;

function evidenceLines(digest: Digest, detail: Detail): string[] {
  const looks = digest.evidence.filter(({ call }) => call !== null);
  if (detail !== 'cited') return looks.map(tellEvidence);
  const cited = new Set(digest.board.flatMap((h) => [...h.for, ...h.against]));
  const newest = new Map(looks.map((one) => [one.call ? callBytes(one.call) : one.id, one.id]));
  const kept = looks.filter(({ id }) => cited.has(id) || [...newest.values()].includes(id));
  const dropped = looks.length - kept.length;
  return [...kept.map(tellEvidence), ...(dropped > 0 ? [`${dropped} older answers to the same questions`] : [])];
}

function tellEvidence({ id, at, call, line, failure }: Evidence): string {
  const asked = call ? describeCall(call) : 'picture';
  return `${id} ${at.slice(11, 19)} ${asked} -> ${untrustedLine(failure ?? line)}`;
}

/** First and last part of what is new. */
function excerpts(evidence: readonly Evidence[]): string {
  const parts = evidence
    .filter(({ call, head }) => call !== null && head !== '')
    .map(({ id, head, tail, bytes }) =>
      untrusted(tail === '' ? head : `${head}\n[... ${bytes} bytes in all ...]\n${tail}`, id),
    );
  return parts.length === 0 ? '' : ['NEW', ...parts].join('\n');
}

/** `e12` to 12. */
export const numberOf = ({ id }: Pick<Evidence, 'id'>): number => Number(id.slice(1));
