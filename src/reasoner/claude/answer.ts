import type { ContentBlock, ContentBlockParam, Message } from '@anthropic-ai/sdk/resources/messages';
import type { HypothesisUpdate } from '../../domain/hypothesis.js';
import type { NextStep } from '../../domain/next-step.js';
import type { EvidenceRead, Toolbox } from './tools.js';

/** What one answer of the model comes to. `updates` hold whatever else it asks for. */
export type Reading =
  | { readonly kind: 'decided'; readonly step: NextStep; readonly updates: readonly HypothesisUpdate[] }
  | {
      readonly kind: 'reads';
      readonly reads: readonly { readonly toolUse: string; readonly read: EvidenceRead }[];
      readonly updates: readonly HypothesisUpdate[];
      /** Results for the other tools of the same answer. */
      readonly results: readonly ContentBlockParam[];
    }
  /** Only beliefs were updated: the step is still to come. */
  | {
      readonly kind: 'undecided';
      readonly updates: readonly HypothesisUpdate[];
      readonly results: readonly ContentBlockParam[];
    }
  /** Nothing of it is taken. `words` tell a person, `results` tell the model. */
  | { readonly kind: 'invalid'; readonly words: string; readonly results: readonly ContentBlockParam[] };

/** Reads one answer against the tools that were offered. */
export function readAnswer(message: Message, toolbox: Toolbox): Reading {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  if (message.stop_reason === 'max_tokens')
    return invalid(uses, `the answer was cut at ${message.usage.output_tokens} tokens: say it with fewer`);
  if (uses.length === 0) return invalid(uses, 'no tool was called: answer with tools only, and end in one next step');
  const asked = uses.map((use) => ({ use, asked: toolbox.read(use.name, use.input) }));
  const wrong = asked.flatMap((one) =>
    one.asked.kind === 'wrong' ? [{ id: one.use.id, words: one.asked.words }] : [],
  );
  if (wrong.length > 0) return invalid(uses, wrong.map(({ words }) => words).join('; '), wrong);

  const steps = asked.flatMap((one) => (one.asked.kind === 'next' ? [one.asked.step] : []));
  const reads = asked.flatMap((one) =>
    one.asked.kind === 'read' ? [{ toolUse: one.use.id, read: one.asked.read }] : [],
  );
  const updates = asked.flatMap((one) => (one.asked.kind === 'update' ? one.asked.updates : []));
  const others = asked
    .filter((one) => one.asked.kind !== 'read')
    .map((one) => acknowledged(one.use.id, one.asked.kind));
  if (reads.length > 0) return { kind: 'reads', reads, updates, results: others };
  const [step, second] = steps;
  if (step && second) return invalid(uses, `${steps.length} next steps in one answer: give exactly one`);
  if (step) return { kind: 'decided', step, updates };
  return { kind: 'undecided', updates, results: others };
}

type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;

/** Every tool call has to be answered, so the good ones of a wrong answer are told that they were not taken. */
function invalid(
  uses: readonly ToolUse[],
  words: string,
  wrong: readonly { readonly id: string; readonly words: string }[] = [],
): Reading {
  const own = new Map(wrong.map((one) => [one.id, one.words]));
  const results = uses.map(
    (use): ContentBlockParam => ({
      type: 'tool_result',
      tool_use_id: use.id,
      is_error: true,
      content:
        own.get(use.id) ?? (own.size > 0 ? 'Not taken: another tool of this answer was wrong. Send all again.' : words),
    }),
  );
  return { kind: 'invalid', words, results: results.length > 0 ? results : [{ type: 'text', text: words }] };
}

const acknowledged = (id: string, kind: string): ContentBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content: kind === 'update' ? 'Noted.' : 'Not taken: you asked to read in the same answer. Decide when you have read.',
});
