import type {
  ActInput,
  ActOutcome,
  AuthoriseInput,
  JudgeInput,
  Judgement,
  PictureSeen,
  ThinkActivities,
  TurnOpened,
} from '../../../workflows/activity-contract.js';
import type { TicketTimes } from '../../../workflows/contract.js';
import { canonical } from '../../domain/canonical.js';
import type { LeaseAnswer, LeaseRequest } from '../../domain/desk.js';
import type { Evidence } from '../../domain/evidence.js';
import { type EvidenceId, instant } from '../../domain/ids.js';
import type { Thought } from '../../domain/next-step.js';
import { type Call, callBytes, describeCall } from '../../domain/query.js';
import type { EvidenceStore } from '../../evidence/store.js';
import { createDryRunHost } from '../../host/dry-run.js';
import { after, evidenceOf, hasRun, type RecordedActivity, resultOf, UNTOUCHED, type World } from './facts.js';
import type { Answers, Asked, Divergence, Reply } from './play.js';
import type { RejudgeAsk, Rejudged } from './rejudge.js';
import type { Replaced } from './replaced.js';
import { payloadOf } from './stage.js';
import { leadsTheSameWay, sameThought, type Thinker, wordsOf } from './thinker.js';

export interface AnswersDeps {
  readonly facts: readonly RecordedActivity[];
  readonly replaced: Replaced;
  readonly thinker: Thinker;
  /** Bodies of pictures. */
  readonly evidence: Pick<EvidenceStore, 'get' | 'has'>;
  readonly times: TicketTimes;
  /** `recorded` rulings stand where nothing changed; `always`: a policy is asked about everything. */
  readonly rule: { readonly when: 'always' | 'unrecorded'; judge(ask: RejudgeAsk): Promise<Rejudged> };
  /** Gets what a person should know about an answer, once each. */
  readonly note: (words: string) => void;
}

/**
 * Answers a run from its record. Nothing is asked of any subject and nothing is run: looks and pictures are those that
 * were recorded while the same had been done to the subject, acts are told and not carried out, samples of a proof are those
 * that followed the same acts. Where nothing of the kind was recorded, it says so.
 */
export function createAnswers(deps: AnswersDeps): Answers {
  const answers = new FromRecord(deps);
  return {
    before: (asked) => answers.before(asked),
    reply: (asked) => answers.reply(asked),
  };
}

/** Where an answer comes from, and what was thought of it then. */
type Found = { readonly value: unknown; readonly divergence?: Divergence } | { readonly missing: string };

class FromRecord {
  private world: World = UNTOUCHED;
  /** As the last opening of a turn named it: another one in the picture would say that the turn was reset. */
  private run = '';
  private readonly sampled = new Map<World, number>();
  /** The picture that proposals are ruled on. */
  private picture: { readonly sha256: string; readonly at: number } | null = null;

  constructor(private readonly deps: AnswersDeps) {}

  /** As recorded, but for evidence that was replaced. */
  before(asked: Asked) {
    const { recorded } = asked;
    if (!recorded) throw new Error(`${asked.name} of turn ${asked.turn} stands before the what-if and is not recorded`);
    this.remember(asked, resultOf({ outcome: recorded }));
    const replaced = this.replacementOf(asked);
    return replaced === undefined ? recorded : { kind: 'completed' as const, result: payloadOf(replaced) };
  }

  async reply(asked: Asked): Promise<Reply> {
    const recorded = this.recordedFor(asked);
    if (recorded?.kind === 'failed' || recorded?.kind === 'cancelled') {
      this.remember(asked, undefined);
      return { kind: 'resolved', resolution: recorded };
    }
    const found = await this.find(asked, recorded ? resultOf({ outcome: recorded }) : undefined);
    if ('missing' in found) return { kind: 'missing', what: found.missing };
    this.remember(asked, found.value);
    return {
      kind: 'resolved',
      resolution: { kind: 'completed', result: payloadOf(found.value) },
      ...(found.divergence ? { divergence: found.divergence } : {}),
    };
  }

  /** The record of this place counts only for what was asked there; thinking is always asked anew. */
  private recordedFor({ name, input, recorded }: Asked): Asked['recorded'] {
    if (!recorded) return null;
    if (name === 'think' && recorded.kind !== 'completed') return null;
    const then = this.deps.facts.find(({ id }) => id === recorded.of);
    return then && sameQuestion(name, input, then.input) ? recorded : null;
  }

  private find(asked: Asked, recorded: unknown): Found | Promise<Found> {
    switch (asked.name) {
      case 'think':
        return this.think(asked, recorded as Thought | undefined);
      case 'judge':
        return this.judge(asked, recorded as Judgement | undefined);
      case 'lookAtPicture':
      case 'look':
        return recorded === undefined ? this.seen(asked) : { value: this.replacementOf(asked) ?? recorded };
      case 'act':
        return recorded === undefined ? this.act(asked.input as ActInput) : { value: recorded };
      case 'sample':
        return recorded === undefined ? this.sample() : { value: recorded };
      case 'gate':
        return { value: recorded ?? lease(asked) };
      case 'openTurn':
        return { value: recorded ?? this.opened(asked) };
      // An answer of a what-if is one that counts.
      case 'authorise':
        return { value: recorded ?? { kind: 'counts', approvals: (asked.input as AuthoriseInput).approvals } };
      case 'archive':
        return { value: recorded ?? { path: '-' } };
      case 'notify':
      case 'release':
        return { value: recorded ?? null };
      default:
        return recorded === undefined ? { missing: asked.name } : { value: recorded };
    }
  }

  private async think({ input, turn }: Asked, recorded: Thought | undefined): Promise<Found> {
    const { digest } = input as Parameters<ThinkActivities['think']>[0];
    const isOther = digest.evidence.some(({ id }) => this.deps.replaced.has(id));
    const thinking = await this.deps.thinker.think(digest, isOther ? null : (recorded ?? null));
    if (!thinking.thought) return { missing: thinking.why };
    const { thought } = thinking;
    if (!recorded) return { value: thought };
    if (sameThought(recorded, thought)) return { value: recorded };
    if (leadsTheSameWay(recorded, thought)) return { value: thought };
    const divergence = { turn, what: 'what it thinks', recorded: wordsOf(recorded), now: wordsOf(thought) };
    return { value: thought, divergence };
  }

  private async judge({ input, turn }: Asked, recorded: Judgement | undefined): Promise<Found> {
    const { rule } = this.deps;
    const ask = input as JudgeInput;
    const past = recorded ?? this.sameProposal(ask);
    if (past && rule.when === 'unrecorded') return { value: withProposal(past, ask, recorded) };
    const picture = this.picture;
    const hasBody = picture !== null && (await this.deps.evidence.has(picture.sha256));
    if (!hasBody) return { missing: `a ruling on #${ask.proposal.number}: the body of its picture` };
    const body = await this.deps.evidence.get(picture.sha256);
    const { times } = this.deps;
    const judged = await rule.judge({ input: ask, picture: body, at: picture.at, times, recorded: past ?? null });
    if (judged.kind === 'cannot-tell') return { missing: `a ruling on #${ask.proposal.number}: ${judged.why}` };
    if (judged.caveat) this.deps.note(`#${ask.proposal.number} is ${judged.judgement.ruling.kind} ${judged.caveat}`);
    const judgement = withProposal(judged.judgement, ask, recorded);
    if (!past || past.ruling.kind === judgement.ruling.kind) return { value: judgement };
    const divergence = {
      turn,
      what: `the ruling on #${ask.proposal.number}`,
      recorded: rulingWords(past),
      now: rulingWords(judgement),
    };
    return { value: judgement, ...(recorded ? { divergence } : {}) };
  }

  /** The same steps, proposed while the same had been done. */
  private sameProposal({ drafts }: JudgeInput): Judgement | undefined {
    const then = this.deps.facts.find(
      (fact) =>
        fact.name === 'judge' &&
        fact.world === this.world &&
        canonical((fact.input as JudgeInput).drafts) === canonical(drafts) &&
        resultOf(fact) !== undefined,
    );
    return then && resultOf<Judgement>(then);
  }

  /** The answer of the nearest turn, with the id that was allotted now. */
  private seen({ name, input, turn }: Asked): Found {
    const { id, call } = input as { id: EvidenceId; call?: Call };
    const same = this.deps.facts.filter(
      (fact) =>
        fact.name === name &&
        fact.world === this.world &&
        fact.outcome?.kind === 'completed' &&
        (!call || callBytes((fact.input as { call: Call }).call) === callBytes(call)),
    );
    const then = nearest(same, turn);
    const what = call ? describeCall(call) : 'the picture of the subject';
    if (!then) return { missing: this.world === UNTOUCHED ? what : `${what} after what was done` };
    if (then.turn !== turn) this.deps.note(`${what}: as seen in turn ${then.turn}`);
    const value = withId(this.replacementOf(then) ?? resultOf(then), id);
    return { value: name === 'look' ? value : { ...value, run: this.run } };
  }

  private async act({ plan }: ActInput): Promise<Found> {
    const { call } = plan;
    const then = this.deps.facts.find(
      (fact) =>
        fact.name === 'act' &&
        fact.world === this.world &&
        callBytes((fact.input as ActInput).plan.call) === callBytes(call) &&
        resultOf(fact) !== undefined &&
        hasRun(fact),
    );
    if (then) return { value: resultOf(then) };
    const told = call.kind === 'shell' ? await dryRun(call.host, call.command) : `would send ${describeCall(call)}`;
    const outcome: ActOutcome = { outcome: 'ok', exit: 0, journal: 'dry-run', reason: 'dry run', tail: told };
    return { value: outcome };
  }

  private sample(): Found {
    const samples = this.deps.facts.filter(
      (fact) => fact.name === 'sample' && fact.world === this.world && fact.outcome?.kind === 'completed',
    );
    const next = samples[this.sampled.get(this.world) ?? 0];
    return next ? { value: resultOf(next) } : { missing: 'a look at what became of the subject after what was done' };
  }

  private opened({ turn }: Asked): TurnOpened {
    const openings = this.deps.facts.filter(
      ({ name, outcome }) => name === 'openTurn' && outcome?.kind === 'completed',
    );
    const then = nearest(openings, turn + 1);
    return (then && resultOf<TurnOpened>(then)) ?? { run: 'whatif', others: [] };
  }

  private remember({ name, input, recorded }: Asked, value: unknown): void {
    if (name === 'openTurn' && value) this.run = (value as TurnOpened).run;
    if (name === 'lookAtPicture' && value) {
      const { evidence } = (this.deps.replaced.get((input as { id: EvidenceId }).id) ?? value) as PictureSeen;
      this.picture = { sha256: evidence.sha256, at: Date.parse(evidence.at) + evidence.durationMs };
    }
    if (name === 'sample') this.sampled.set(this.world, (this.sampled.get(this.world) ?? 0) + 1);
    if (name === 'act' && mayHaveRun(value, recorded)) this.world = after(this.world, input as ActInput);
  }

  private replacementOf(activity: Pick<RecordedActivity, 'name' | 'input'>): unknown {
    const id = evidenceOf(activity);
    return id === null ? undefined : this.deps.replaced.get(id);
  }
}

const mayHaveRun = (value: unknown, recorded: Asked['recorded']): boolean =>
  value === undefined ? hasRun({ outcome: recorded }) : (value as ActOutcome).outcome !== 'refused';

/** Asked at the same place of a run that never left its record; what may differ there is what a person changed. */
function sameQuestion(name: string, now: unknown, then: unknown): boolean {
  switch (name) {
    case 'judge':
      return canonical((now as JudgeInput).drafts) === canonical((then as JudgeInput).drafts);
    case 'act':
      return callBytes((now as ActInput).plan.call) === callBytes((then as ActInput).plan.call);
    default:
      return true;
  }
}

/** At its place in the record it keeps the id that it had: answers name it. */
const withProposal = (judgement: Judgement, { proposal }: JudgeInput, recorded: Judgement | undefined): Judgement => ({
  ...judgement,
  proposal: { ...proposal, id: recorded?.proposal.id ?? proposal.id, steps: judgement.proposal.steps },
});

function withId(value: unknown, id: EvidenceId): Evidence | PictureSeen {
  const seen = value as Evidence | PictureSeen;
  return 'evidence' in seen ? { ...seen, evidence: { ...seen.evidence, id } } : { ...seen, id };
}

/** Of the same turn, else the last one before it, else the first one after it. */
function nearest(facts: readonly RecordedActivity[], turn: number): RecordedActivity | undefined {
  return facts.findLast((fact) => fact.turn <= turn) ?? facts[0];
}

function lease({ input, at }: Asked): LeaseAnswer {
  const { ticket, target, forMs } = input as LeaseRequest;
  return { granted: true, lease: { run: 'whatif', ticket, target, until: instant(at + forMs) } };
}

async function dryRun(name: string, command: string): Promise<string> {
  const { head } = await createDryRunHost({ name, record: () => {} }).run({ command, timeoutMs: 0 });
  return head.trim();
}

const rulingWords = ({ ruling }: Judgement): string => `${ruling.kind}: ${ruling.reason}`;
