import { createHash } from 'node:crypto';
import type { DiagnosisRule, Invariant } from '../../subjects/protocol.js';
import type { Digest } from '../domain/digest.js';
import type { Thought } from '../domain/next-step.js';
import type { Reasoner, ReasonerTools } from './reasoner.js';
import { assess, updatesOf } from './rules/board.js';
import { concludeCalm, waitForClear } from './rules/calm.js';
import { decide } from './rules/decide.js';
import { gatherFacts } from './rules/facts.js';
import { looksOf, nextLooks } from './rules/looks.js';

/** What the engine needs of a subject. */
export interface RuleSet<P> {
  readonly rules: readonly DiagnosisRule<P>[];
  readonly invariants: readonly Invariant<P>[];
  /** Names this state of the rules; hashed into every thought. */
  readonly version: string;
}

/**
 * The offline reasoner: deterministic, free, and as careful as the other one. It follows the first rule that matches the
 * violations, asks every look that could refute a suspect, and proposes the cure of the one that stands. Where none
 * stands, two stand, or the cure was tried, it hands over to a person, with what was ruled out.
 *
 * The body of the picture's evidence must be the picture as JSON.
 */
export function createRulesReasoner<P>(ruleSet: RuleSet<P>): Reasoner {
  const promptSha = rulesSha(ruleSet.version);
  return {
    name: 'rules',
    async reason(digest, tools) {
      const step = await think({ ruleSet, digest, tools });
      return { ...step, promptSha, ...NO_MODEL };
    },
  };
}

/** What names a state of the rules in histories, as a hash of the prompt names a prompt. */
export const rulesSha = (version: string): string => createHash('sha256').update(`rules:${version}`).digest('hex');

const NO_MODEL = {
  reasoner: 'rules',
  model: null,
  requestId: null,
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
} as const;

interface Turn<P> {
  readonly ruleSet: RuleSet<P>;
  readonly digest: Digest;
  readonly tools: ReasonerTools;
}

async function think<P>({ ruleSet, digest, tools }: Turn<P>): Promise<Pick<Thought, 'nextStep' | 'hypotheses'>> {
  const picture = JSON.parse(await tools.body(digest.picture.evidence)) as P;
  const calm = concludeCalm({ digest, checks: ruleSet.invariants, picture });
  if (calm) return { nextStep: calm, hypotheses: [] };

  const followed = ruleThatMatches(ruleSet.rules, digest);
  if (!followed) return { nextStep: { kind: 'escalate', why: noRuleWords(digest) }, hypotheses: [] };
  const suspects = followed.rule.suspects(followed.target, picture);
  const facts = await gatherFacts({ digest, picture, calls: looksOf(suspects), body: tools.body });
  const board = assess(suspects, facts);
  const nextStep =
    nextLooks({ digest, board }) ??
    waitForClear({ digest, checks: ruleSet.invariants, picture, board }) ??
    decide({ digest, board, target: followed.target });
  return { nextStep, hypotheses: updatesOf(board, digest) };
}

/** Violations that have cleared still say where to look when nothing is violated but not everything is known. */
function ruleThatMatches<P>(rules: readonly DiagnosisRule<P>[], { violations, cleared }: Digest) {
  const symptoms = violations.length > 0 ? violations : cleared.map(({ violation }) => violation);
  for (const rule of rules) {
    const target = rule.matches(symptoms);
    if (target !== null) return { rule, target };
  }
  return null;
}

function noRuleWords({ violations, picture }: Digest): string {
  const symptoms = violations.map(({ message }) => message).join('; ') || 'something could not be judged';
  return `no rule explains: ${symptoms}. The picture (${picture.evidence}): ${picture.lines[0] ?? 'empty'}`;
}
