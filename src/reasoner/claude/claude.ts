import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Digest } from '../../domain/digest.js';
import type { Thought } from '../../domain/next-step.js';
import type { BudgetPort, Settlement } from '../../domain/reservation.js';
import type { EvidenceStore } from '../../evidence/store.js';
import type { Reasoner, ReasonerTools } from '../reasoner.js';
import { contextOf } from './context.js';
import { numberOf } from './digest-text.js';
import { exchange } from './exchange.js';
import { paidCall } from './paid-call.js';
import type { PriceTable } from './prices.js';
import type { Prompt } from './prompt.js';
import { EMPTY_TRANSCRIPT, loadTranscript, storeTranscript, type Transcript } from './transcript.js';
import { usageOf } from './usage.js';

export interface ClaudeDeps {
  /** Made with `maxRetries: 0` and the time-out of one call. */
  readonly client: Anthropic;
  readonly model: string;
  readonly maxTokens: number;
  readonly contextTokens: number;
  readonly stream: boolean;
  readonly prices: PriceTable;
  readonly prompt: Prompt;
  readonly evidence: EvidenceStore;
  readonly reserve: BudgetPort['reserve'];
  /** Never throws; see `createSettling`. */
  readonly settle: (settlement: Settlement) => Promise<void>;
  /** Masks secrets in what people and reports wrote into the digest; evidence is masked when it is taken. */
  readonly redact: (text: string) => string;
  readonly now: () => number;
}

/**
 * A model as reasoner. The conversation of a ticket grows by one exchange a turn and lives in the evidence store; each
 * request begins with the same prefix, so that most of it comes from the cache. What the model says is data: every
 * answer is checked with the schema of its tool, and nothing of it runs here.
 */
export function createClaude(deps: ClaudeDeps): Reasoner {
  return { name: deps.model, reason: (digest, tools) => reason(deps, redacted(digest, deps.redact), tools) };
}

async function reason(deps: ClaudeDeps, digest: Digest, { body, signal, attempt }: ReasonerTools): Promise<Thought> {
  const { prompt } = deps;
  const loaded = await loadTranscript(deps.evidence, digest.transcript);
  const transcript = loaded ?? EMPTY_TRANSCRIPT;
  const context = contextOf(digest, transcript, {
    contextTokens: deps.contextTokens,
    prefixBytes: Buffer.byteLength(prompt.text),
    reserveTokens: READING_TOKENS + deps.maxTokens,
  });
  await deps.evidence.put(prompt.text);
  const decided = await exchange({
    opening: context.opening,
    toolbox: prompt.toolbox,
    body,
    ask: (messages) =>
      paidCall(deps, {
        request: requestOf(deps, [...context.before, ...messages]),
        payer: {
          id: `${attempt.run}.${digest.turn}.${attempt.number}.${attempt.calls.length + 1}`,
          ticket: digest.ticket,
          agent: digest.agent,
        },
        promptSha: prompt.sha256,
        signal,
        remember: (call) => attempt.calls.push(call),
      }),
  });
  const grown: Transcript = {
    turns: [...transcript.turns, { turn: digest.turn, ended: decided.step.kind, messages: decided.messages }],
    open: decided.open,
    seenUpTo: Math.max(transcript.seenUpTo, ...digest.evidence.map(numberOf)),
  };
  const notes = [
    ...(loaded === null ? ['the conversation so far could not be read: the model starts from the digest'] : []),
    ...(context.note === null ? [] : [context.note]),
  ];
  return {
    nextStep: decided.step,
    hypotheses: decided.updates,
    reasoner: 'claude',
    model: deps.model,
    requestId: attempt.calls.at(-1)?.requestId ?? null,
    promptSha: prompt.sha256,
    promptVersion: prompt.version,
    usage: usageOf(attempt.calls),
    calls: attempt.calls,
    notes,
    transcript: await storeTranscript(deps.evidence, grown),
  };
}

/** Room within a turn for what the model reads: six readings of at most 8,000 characters. */
const READING_TOKENS = 16_000;

function requestOf(
  { model, maxTokens, prompt }: ClaudeDeps,
  messages: readonly MessageParam[],
): MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: maxTokens,
    tools: [...prompt.tools],
    tool_choice: { type: 'any' },
    system: [...prompt.system],
    messages: cachedUpToHere(messages),
  };
}

/** Marks the end of the conversation so far: the next call, also that of the next turn, reads up to here from the cache. */
function cachedUpToHere(messages: readonly MessageParam[]): MessageParam[] {
  return messages.map((message, index) => {
    if (index !== messages.length - 1 || typeof message.content === 'string') return message;
    const content = message.content.map(
      (block, at, all): ContentBlockParam =>
        at === all.length - 1 && (block.type === 'text' || block.type === 'tool_result')
          ? { ...block, cache_control: { type: 'ephemeral' } }
          : block,
    );
    return { ...message, content } as MessageParam;
  });
}

function redacted(digest: Digest, mask: (text: string) => string): Digest {
  return {
    ...digest,
    hints: digest.hints.map((hint) => ({ ...hint, text: mask(hint.text) })),
    refusals: digest.refusals.map(mask),
    proposals: digest.proposals.map((past) => ({ ...past, note: mask(past.note) })),
  };
}
