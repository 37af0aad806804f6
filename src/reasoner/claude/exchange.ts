import type { ContentBlockParam, Message, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { HypothesisUpdate } from '../../domain/hypothesis.js';
import type { NextStep } from '../../domain/next-step.js';
import { ModelFailure } from '../model-failure.js';
import type { ReasonerTools } from '../reasoner.js';
import { type Reading, readAnswer } from './answer.js';
import { readEvidence } from './read-evidence.js';
import type { Toolbox } from './tools.js';

/** Readings of evidence within one turn. */
export const MAX_READS = 6;
/** Answers that do not fit are sent back so often, with the validator's words; then a person is asked. */
export const MAX_RETURNS = 2;

export interface Exchange {
  readonly opening: MessageParam;
  readonly toolbox: Toolbox;
  readonly body: ReasonerTools['body'];
  /** Asks the model to go on after these messages of the turn. */
  readonly ask: (messages: readonly MessageParam[]) => Promise<Message>;
}

export interface Decided {
  readonly step: NextStep;
  readonly updates: readonly HypothesisUpdate[];
  /** All messages of the turn, the opening first. */
  readonly messages: readonly MessageParam[];
  /** Tool calls of the last answer, to be answered by the next turn. */
  readonly open: readonly string[];
}

/** One turn with the model: it may read evidence and correct itself, within bounds, until it decides. */
export async function exchange({ opening, toolbox, body, ask }: Exchange): Promise<Decided> {
  const messages: MessageParam[] = [opening];
  const updates: HypothesisUpdate[] = [];
  let reads = 0;
  let returns = 0;
  for (;;) {
    const message = await ask(messages);
    if (message.stop_reason === 'refusal') throw new ModelFailure('refusal', `${message.model} declined to answer`);
    if (message.stop_reason === 'model_context_window_exceeded')
      throw new ModelFailure('final', `${message.model}: the conversation is larger than its context window`);
    messages.push({ role: 'assistant', content: spoken(message) });
    const reading = readAnswer(message, toolbox);
    if (reading.kind !== 'invalid') updates.push(...reading.updates);
    if (reading.kind === 'decided') return { step: reading.step, updates, messages, open: toolUsesOf(message) };

    const isReturn = reading.kind !== 'reads' || reads + reading.reads.length > MAX_READS;
    if (isReturn && returns === MAX_RETURNS)
      return { step: givenUp(reading), updates, messages, open: toolUsesOf(message) };
    if (isReturn) returns += 1;
    const results = reading.kind === 'reads' ? await answerReads(reading, { read: reads, body }) : reading.results;
    if (reading.kind === 'reads') reads += reading.reads.length;
    const hint: ContentBlockParam[] = reading.kind === 'undecided' ? [{ type: 'text', text: UNDECIDED }] : [];
    messages.push({ role: 'user', content: [...results, ...hint] });
  }
}

const UNDECIDED = 'Now give exactly one next step.';

type Reads = Extract<Reading, { kind: 'reads' }>;

async function answerReads(
  { reads, results }: Reads,
  { read, body }: { readonly read: number; readonly body: ReasonerTools['body'] },
): Promise<readonly ContentBlockParam[]> {
  const answers = await Promise.all(
    reads.map(async (one, index): Promise<ContentBlockParam> => {
      const isOver = read + index >= MAX_READS;
      const content = isOver ? NO_MORE_READS : await readEvidence(one.read, body);
      return { type: 'tool_result', tool_use_id: one.toolUse, content, is_error: isOver };
    }),
  );
  return [...answers, ...results];
}

const NO_MORE_READS = `You have read ${MAX_READS} times in this turn. Decide now.`;

function givenUp(reading: Exclude<Reading, { kind: 'decided' }>): NextStep {
  const words = reading.kind === 'invalid' ? reading.words : 'it went on reading or updating and gave no next step';
  return { kind: 'escalate', why: `the model could not be understood ${MAX_RETURNS + 1} times; the last: ${words}` };
}

/** An empty answer cannot be sent back to the API as it is. */
function spoken({ content }: Message): MessageParam['content'] {
  return content.length > 0 ? (content as ContentBlockParam[]) : [{ type: 'text', text: '(empty answer)' }];
}

const toolUsesOf = ({ content }: Message): string[] =>
  content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
