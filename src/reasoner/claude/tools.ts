import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import * as z from 'zod';
import type { HypothesisUpdate } from '../../domain/hypothesis.js';
import { type EvidenceId, parseTicketId, type TicketId } from '../../domain/ids.js';
import { MAX_CALLS_PER_LOOK, type NextStep } from '../../domain/next-step.js';
import type { StepDraft } from '../../domain/proposal.js';
import type { Call } from '../../domain/query.js';
import type { Catalogue } from './catalogue.js';

/** What one tool call of a model asks for, once it fits its schema. */
export type Asked =
  | { readonly kind: 'next'; readonly step: NextStep }
  | { readonly kind: 'update'; readonly updates: readonly HypothesisUpdate[] }
  | { readonly kind: 'read'; readonly read: EvidenceRead };

/** `from` and `to` are lines, counted from 1, both included. */
export interface EvidenceRead {
  readonly id: EvidenceId;
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Only lines with this text, whatever the case of its letters. */
  readonly grep: string | null;
}

/** The tools of one agent on one subject. */
export interface Toolbox {
  /** As the API takes them: strict, in a stable order. */
  readonly definitions: readonly Tool[];
  /** Checks an input with the very schema that its tool was made of; `wrong` is in words for the model. */
  read(name: string, input: unknown): Asked | { readonly kind: 'wrong'; readonly words: string };
}

interface ToolSpec {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly asked: (input: never) => Asked;
}

export function createToolbox(catalogue: Catalogue): Toolbox {
  const specs = new Map<string, ToolSpec>(Object.entries(specsOf(catalogue)));
  const definitions = [...specs].map(([name, { description, schema }]): Tool => {
    const { type: _, ...json } = transformJSONSchema(z.toJSONSchema(schema, { io: 'input' }) as never);
    return { name, description, strict: true, input_schema: { ...json, type: 'object' } };
  });
  return {
    definitions,
    read(name, input) {
      const spec = specs.get(name);
      if (!spec) return { kind: 'wrong', words: `there is no tool ${name}; there are ${[...specs.keys()].join(', ')}` };
      const parsed = spec.schema.safeParse(input);
      return parsed.success
        ? spec.asked(parsed.data as never)
        : { kind: 'wrong', words: `${name}: ${z.prettifyError(parsed.error)}` };
    },
  };
}

const Text = z.string().trim().min(1).max(2_000);
const Line = z.string().trim().min(1).max(400);
const Target = z.string().trim().min(1).max(100);
const EvidenceIdText = z
  .string()
  .regex(/^e[1-9][0-9]*$/)
  .transform((id) => id as EvidenceId);

const TicketIdText = z
  .string()
  .refine((text) => parseTicketId(text) !== null, { error: 'must be a ticket like `tikv/7`' })
  .transform((id) => id as TicketId);

function specsOf(catalogue: Catalogue) {
  const Cause = z.strictObject({
    class: oneOf([...catalogue.causes.map((cause) => cause.class), 'other']),
    target: Target,
  });
  const Shell = z.strictObject({ kind: z.literal('shell'), host: oneOf(catalogue.hosts), command: Text });
  const Http = z.strictObject({
    kind: z.literal('http'),
    api: oneOf(catalogue.apis),
    node: z.string().nullable().describe('which member to ask; null: any that answers'),
    path: z.string().regex(/^\//).max(500),
  });
  const Update = z.strictObject({
    cause: Cause,
    claim: Line,
    status: z.enum(['open', 'supported', 'refuted']),
    confidence: z.number().min(0).max(1),
    for: z.array(EvidenceIdText),
    against: z.array(EvidenceIdText),
    because: Line,
  });
  const actions = catalogue.actions.map((action) => action.name);
  const Command = z.strictObject({
    kind: z.literal('call'),
    describe: Line,
    host: oneOf(catalogue.hosts),
    command: Text,
    target: Target,
  });
  const Step =
    actions.length > 0
      ? z.union([z.strictObject({ kind: z.literal('action'), action: oneOf(actions), target: Target }), Command])
      : Command;
  const Proposal = z.strictObject({
    title: Line,
    cause: Cause,
    evidence: z.array(EvidenceIdText).min(1),
    test: z
      .strictObject({ evidence: EvidenceIdText, wouldHaveRefuted: Line })
      .describe('a look that was answered and could have shown that it is not this cause'),
    alternative: z.strictObject({ cause: Cause, why: Line }).describe('the other explanation that you weighed'),
    effect: Line,
    risk: Line,
    steps: z.array(Step).min(1).max(8),
  });
  const Conclude = z.strictObject({
    conclusion: z.enum(['transient', 'expected', 'duplicate', 'monitoring-fault']),
    why: Line,
    evidence: z.array(EvidenceIdText).min(1),
    expectation: z
      .enum(['planned-stop', 'cold-start', 'even-by-score'])
      .nullable()
      .describe('for `expected`, else null'),
    of: TicketIdText.nullable().describe('for `duplicate`: the ticket, like `tikv/7`; else null'),
  });

  return {
    update_hypotheses: spec({
      description: 'Changes the board. A cause that is not on it yet opens a hypothesis.',
      schema: z.strictObject({ updates: z.array(Update).min(1).max(12) }),
      asked: ({ updates }) => ({ kind: 'update', updates }),
    }),
    read_evidence: spec({
      description: 'Shows the text of one piece of evidence: a range of lines, or the lines that hold a text.',
      schema: z.strictObject({
        id: EvidenceIdText,
        range: z.strictObject({ from: z.int().min(1), to: z.int().min(1) }).nullable(),
        grep: z.string().min(1).max(200).nullable(),
      }),
      asked: (read) => ({ kind: 'read', read }),
    }),
    look: spec({
      description: `Asks up to ${MAX_CALLS_PER_LOOK} read-only things side by side.`,
      schema: z.strictObject({
        why: Line,
        calls: z
          .array(z.union([Shell, Http]))
          .min(1)
          .max(MAX_CALLS_PER_LOOK),
      }),
      asked: ({ why, calls }) => next({ kind: 'look', why, calls: calls.map(callOf) }),
    }),
    propose: spec({
      description: 'Proposes a repair. Policy and, where it says so, a person decide whether it runs.',
      schema: Proposal,
      asked: ({ steps, ...proposal }) => next({ kind: 'propose', proposal: { ...proposal, steps: steps.map(stepOf) } }),
    }),
    ask: spec({
      description: 'Asks a person something that no look can tell. The ticket waits for the answer.',
      schema: z.strictObject({ question: Text }),
      asked: ({ question }) => next({ kind: 'ask', question }),
    }),
    conclude: spec({
      description: 'Ends the ticket because nothing has to be repaired. Code checks the claim.',
      schema: Conclude,
      asked: ({ expectation, of, ...step }) =>
        next({
          kind: 'conclude',
          ...step,
          ...(expectation === null ? {} : { expectation }),
          ...(of === null ? {} : { of }),
        }),
    }),
    escalate: spec({
      description: 'Hands the ticket to a person: what is wrong, what is ruled out, what would decide it.',
      schema: z.strictObject({ why: Text }),
      asked: ({ why }) => next({ kind: 'escalate', why }),
    }),
  };
}

/** Ties the type of the handler to its schema. */
function spec<S extends z.ZodType>(tool: {
  readonly description: string;
  readonly schema: S;
  readonly asked: (input: z.output<S>) => Asked;
}): ToolSpec {
  return tool as ToolSpec;
}

const next = (step: NextStep): Asked => ({ kind: 'next', step });

/** An enumeration must have a member; a subject without hosts has one that no host answers to. */
const oneOf = (names: readonly string[]) => z.enum([...(names.length > 0 ? names : ['none'])] as [string, ...string[]]);

function callOf(
  call:
    | { kind: 'shell'; host: string; command: string }
    | { kind: 'http'; api: string; node: string | null; path: string },
): Call {
  if (call.kind === 'shell') return call;
  const { node, ...rest } = call;
  return { ...rest, method: 'GET', ...(node === null ? {} : { node }) };
}

function stepOf(
  step:
    | { kind: 'action'; action: string; target: string }
    | { kind: 'call'; describe: string; host: string; command: string; target: string },
): StepDraft {
  if (step.kind === 'action') return step;
  const { describe, host, command, target } = step;
  return { kind: 'call', describe, call: { kind: 'shell', host, command }, target };
}
