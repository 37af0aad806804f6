import type { TicketStatus } from '../../workflows/contract.js';
import { confidenceOf } from '../domain/board.js';
import { causeName } from '../domain/cause.js';
import type { Evidence } from '../domain/evidence.js';
import type { Hypothesis } from '../domain/hypothesis.js';
import type { BasisFact, Step, StepRuling } from '../domain/proposal.js';
import { describeCall } from '../domain/query.js';
import { tellEvidence, tellGrounds, tellInverse, tellRuling } from '../domain/story.js';
import type { Moment } from '../domain/waits.js';
import { age } from './age.js';
import { printLine, printSection } from './paragraph.js';
import type { Screen } from './screen.js';

/** What a person decides by. */
export interface CardView {
  readonly status: TicketStatus & { readonly pending: PendingView };
  readonly board: readonly Hypothesis[];
  readonly evidence: readonly Evidence[];
  /** ms */
  readonly now: number;
}

type PendingView = NonNullable<TicketStatus['pending']>;
type Section = readonly [name: string, lines: readonly string[]];

/**
 * The decision card: the plan in plain words, why, what each step runs and what policy says of it, how it is taken back, what
 * the ruling rests on, and what happens if nobody answers. Whole lines in a pipe, wrapped on a terminal.
 */
export function printCard(view: CardView, screen: Screen): void {
  printLine(screen, headline(view), screen.paint.bold);
  printLine(screen, title(view.status.pending), screen.paint.bold);
  for (const [name, lines] of sections(view)) printSection(screen, name, lines);
}

function headline({ status, now }: CardView): string {
  const { ticket, severity, openedAt, pending } = status;
  const left = pending.expiresAt ? ` · expires in ${age(Date.parse(pending.expiresAt) - now)}` : '';
  return `${ticket}  severity ${severity} · opened ${age(now - Date.parse(openedAt))} ago · waits for you${left}`;
}

const title = ({ proposal: { number, title: words, by } }: PendingView): string =>
  `PROPOSAL #${number}  ${words}${by === undefined ? '' : ` (by ${by})`}`;

function sections(view: CardView): readonly Section[] {
  const { status, now } = view;
  const { proposal, changes = [], margin, basis } = status.pending;
  return [
    ['symptom', [status.symptom]],
    ...(changes.length > 0
      ? [['changed', ['since it was last seen:', ...changes.map((line) => `- ${line}`)]] as const]
      : []),
    ['why', why(view)],
    ...tellGrounds(proposal).map(({ name, words }) => [name, [words]] as const),
    ...proposal.steps.map((step, i) => [`step ${i + 1}`, stepLines(step, status.pending.steps?.[i])] as const),
    ['effect', [proposal.effect]],
    ['risk', [proposal.risk]],
    ...(margin ? [['margin', [margin]] as const] : []),
    [
      'basis',
      [
        basis
          .filter(isNoBytes)
          .map(({ fact, value }) => `${fact}=${value}`)
          .join(' · '),
      ],
    ],
    ['no answer', [ifNobodyAnswers(aheadOf(status), now)]],
  ];
}

/** The bytes of a step stand with the step already. */
const isNoBytes = ({ fact }: BasisFact): boolean => !/(^|: )(command|undo)$/.test(fact);

/** The cause with every piece of evidence that speaks for it, and what was ruled out. */
function why({ status: { pending }, board, evidence }: CardView): string[] {
  const leading = board.find(({ id }) => id === pending.proposal.hypothesis);
  const cited = new Set([...(leading?.for ?? []), ...pending.proposal.evidence]);
  return [
    leading ? believed(leading) : causeName(pending.proposal.cause),
    ...evidence.filter(({ id }) => cited.has(id)).map((each) => `  ${tellEvidence(each)}`),
    ...board.filter(({ status }) => status === 'refuted').map(ruledOut),
  ];
}

const believed = (h: Hypothesis): string =>
  `${h.id} ${causeName(h.cause)} (${confidenceOf(h).toFixed(2)}): ${h.because}${h.against.length > 0 ? `; against it ${h.against.join(' ')}` : ''}`;

const ruledOut = ({ id, cause, against, because }: Hypothesis): string =>
  `ruled out: ${id} ${causeName(cause)} (${against.join(' ')}): ${because}`;

function stepLines(step: Step, ruled: StepRuling | undefined): string[] {
  const call = describeCall(step.call);
  const commands = ruled?.commands ?? [];
  const isFlat = commands.length <= 1 && commands.every((command) => call.endsWith(command));
  return [
    call,
    ...(isFlat ? [] : commands.map((command, i) => `  runs ${i + 1}. ${command}`)),
    ...(ruled ? [`  ${tellRuling(ruled.ruling)}`] : []),
    `  undo: ${tellInverse(step)}`,
  ];
}

/** While the question is being sent out only its expiry is known. */
function aheadOf({ ahead = [], pending: { expiresAt } }: CardView['status']): readonly Moment[] {
  return ahead.length > 0 || !expiresAt ? ahead : [{ what: 'expire', at: expiresAt }];
}

function ifNobodyAnswers(ahead: readonly Moment[], now: number): string {
  const moments = ahead.map((moment) => `${inWords(moment)} in ${age(Date.parse(moment.at) - now)}`);
  return [...moments, 'nothing runs'].join(', ');
}

function inWords(moment: Moment): string {
  switch (moment.what) {
    case 'remind':
      return 'a reminder';
    case 'tell':
      return `${moment.who.join(' and ')} told`;
    case 'expire':
      return 'it expires and the reasoner goes on';
  }
}
