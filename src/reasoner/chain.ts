import type { Digest } from '../domain/digest.js';
import type { Thought } from '../domain/next-step.js';
import { usageOf } from './claude/usage.js';
import { BudgetRefusal, ModelFailure } from './model-failure.js';
import type { Attempt, Reasoner, ReasonerTools } from './reasoner.js';

export interface ChainDeps {
  /** In the order in which they are asked. */
  readonly models: readonly Reasoner[];
  /** Free, and always there. */
  readonly rules: Reasoner;
  /** Failed tries of one turn before the next model takes over. */
  readonly triesEach: number;
  /** Models that used up their tries, by name: left alone for a while, over all turns and tickets. */
  readonly resting: Map<string, Rest>;
  readonly now: () => number;
}

export interface Rest {
  readonly untilMs: number;
  readonly words: string;
}

const REST_MS = 5 * 60_000;

/**
 * Models first, the rules when no model can or may think: each model gets its tries of a turn, a refusal passes to the
 * next one at once, and what may not be paid for is thought by rules. Whoever takes over, the thought says why. What
 * asking again cannot change becomes a thought that hands over to a person, so that what was paid is on record.
 *
 * @throws ModelFailure `retry` while the model in turn has tries left
 */
export function createChain(deps: ChainDeps): Reasoner {
  const { models, rules } = deps;
  return {
    name: models[0]?.name ?? rules.name,
    async reason(digest, tools) {
      const unpaid = whyNothingMayBePaid(digest);
      if (unpaid) return byRules(rules, { digest, tools, why: unpaid });
      const passed: string[] = [];
      for (const model of models) {
        const outcome = await tryModel(deps, model, { digest, tools });
        if (outcome.kind === 'thought') return withNotes(outcome.thought, passed);
        if (outcome.kind === 'unpaid') return byRules(rules, { digest, tools, why: outcome.why });
        passed.push(outcome.why);
      }
      return byRules(rules, { digest, tools, why: passed.join('; ') });
    },
  };
}

/** Limits of the ticket itself; the ceilings of month and agent are the budget's to say. */
function whyNothingMayBePaid({ left }: Digest): string | null {
  if (left.tokens <= 0) return "the ticket's limit of tokens is reached";
  return left.usd <= 0 ? "the ticket's limit of money is reached" : null;
}

interface Asking {
  readonly digest: Digest;
  readonly tools: ReasonerTools;
}

type Outcome =
  | { readonly kind: 'thought'; readonly thought: Thought }
  /** The next one takes over. */
  | { readonly kind: 'passed'; readonly why: string }
  /** No model may be asked. */
  | { readonly kind: 'unpaid'; readonly why: string };

async function tryModel(deps: ChainDeps, model: Reasoner, { digest, tools }: Asking): Promise<Outcome> {
  const { attempt } = tools;
  const skipped = whySkipped(deps, model, attempt);
  if (skipped) return { kind: 'passed', why: skipped };
  try {
    const thought = await model.reason(digest, tools);
    deps.resting.delete(model.name);
    return { kind: 'thought', thought };
  } catch (error) {
    if (error instanceof BudgetRefusal) return { kind: 'unpaid', why: error.message };
    if (!(error instanceof ModelFailure)) throw error;
    if (error.kind === 'final') return { kind: 'thought', thought: handOver(model, attempt, error.message) };
    attempt.failures.push({ model: model.name, kind: error.kind, words: error.message });
    const why = whySkipped(deps, model, attempt);
    if (!why) throw error;
    if (error.kind === 'retry') deps.resting.set(model.name, { untilMs: deps.now() + REST_MS, words: error.message });
    return { kind: 'passed', why };
  }
}

/** Its tries of this turn are used up, or it rests from an earlier one. */
function whySkipped({ triesEach, resting, now }: ChainDeps, { name }: Reasoner, attempt: Attempt): string | null {
  const own = attempt.failures.filter(({ model }) => model === name);
  const last = own.at(-1);
  if (last?.kind === 'refusal') return `${name} declined: ${last.words}`;
  if (last && own.length >= triesEach)
    return `${name} failed ${own.length === 1 ? 'once' : `${own.length} times`}: ${last.words}`;
  const rest = resting.get(name);
  return rest && own.length === 0 && rest.untilMs > now() ? `${name} rests after failures: ${rest.words}` : null;
}

function handOver({ name }: Reasoner, { calls }: Attempt, words: string): Thought {
  return {
    nextStep: { kind: 'escalate', why: `the model cannot be asked: ${words}` },
    hypotheses: [],
    reasoner: 'claude',
    model: name,
    requestId: null,
    promptSha: calls.at(-1)?.promptSha ?? '',
    usage: usageOf(calls),
    calls,
  };
}

async function byRules(rules: Reasoner, { digest, tools, why }: Asking & { readonly why: string }): Promise<Thought> {
  const thought = await rules.reason(digest, tools);
  const { calls } = tools.attempt;
  const paid = calls.length > 0 ? { calls, usage: usageOf(calls) } : {};
  return withNotes({ ...thought, ...paid }, [`rules think: ${why}`]);
}

const withNotes = (thought: Thought, notes: readonly string[]): Thought =>
  notes.length === 0 ? thought : { ...thought, notes: [...notes, ...(thought.notes ?? [])] };
