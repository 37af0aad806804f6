import type Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import { MedicError } from '../../domain/errors.js';
import { MICROS_PER_USD } from '../../domain/money.js';
import type { ModelCall, TokenCounts } from '../../domain/next-step.js';
import type { BudgetPort, Reservation, Settlement } from '../../domain/reservation.js';
import { BudgetRefusal, ModelFailure } from '../model-failure.js';
import { failureOf } from './failures.js';
import { microsOf, type PriceTable, priceAt, worstCaseMicros } from './prices.js';

export interface PaidCallDeps {
  readonly client: Anthropic;
  readonly reserve: BudgetPort['reserve'];
  /** Never throws; see `createSettling`. */
  readonly settle: (settlement: Settlement) => Promise<void>;
  readonly prices: PriceTable;
  readonly stream: boolean;
  readonly now: () => number;
}

export interface PaidCall {
  readonly request: MessageCreateParamsNonStreaming;
  /** Who pays: everything of the reservation but the amount. */
  readonly payer: Omit<Reservation, 'micros' | 'model'>;
  readonly promptSha: string;
  readonly signal: AbortSignal | undefined;
  /** Gets the record of the call, also of one that failed. */
  readonly remember: (call: ModelCall) => void;
}

const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * One call of the Messages API: reserved at its worst case before, settled with what it used after. Nothing is sent
 * without a reservation, and none is left open: a refused call gives its money back, one whose answer was lost counts
 * in full.
 *
 * @throws BudgetRefusal when a ceiling forbids it
 * @throws ModelFailure when there is no usable answer
 */
export async function paidCall(deps: PaidCallDeps, call: PaidCall): Promise<Message> {
  const { request, payer } = call;
  const began = deps.now();
  const price = priceAt(deps.prices, request.model, began);
  if (!price) throw new ModelFailure('final', `agents/models.yaml has no price of ${request.model} for this day`);
  const requestBytes = Buffer.byteLength(JSON.stringify(request));
  const micros = worstCaseMicros({ requestBytes, maxTokens: request.max_tokens }, price);
  const answer = await deps.reserve({ ...payer, model: request.model, micros }).catch(noAnswer);
  if (answer === null) {
    // It may have been granted all the same; nothing was sent for it.
    await deps.settle({ id: payer.id, outcome: { kind: 'released', why: 'the budget did not answer' } });
    throw new BudgetRefusal('nothing may be spent: the budget does not answer');
  }
  if (!answer.granted) throw new BudgetRefusal(answer.reason);

  const over = async (outcome: Settlement['outcome'], part: Pick<ModelCall, 'requestId' | 'tokens' | 'stop'>) => {
    await deps.settle({ id: payer.id, outcome });
    call.remember({
      model: request.model,
      pricesOf: price.from,
      promptSha: call.promptSha,
      durationMs: deps.now() - began,
      usd: countsAs(outcome, micros) / MICROS_PER_USD,
      ...part,
    });
  };
  const sent = await send(deps, call).then(
    (message) => ({ message }),
    (error: unknown) => ({ error }),
  );
  if ('error' in sent) {
    const { failure, owed } = failureOf(sent.error, request.model);
    await over(owed, { requestId: null, tokens: NO_TOKENS, stop: null });
    throw failure;
  }
  const { message } = sent;
  const tokens = tokensOf(message);
  const part = { requestId: message._request_id ?? null, tokens, stop: message.stop_reason };
  await over({ kind: 'used', micros: microsOf(tokens, price) }, part);
  return message;
}

/** Without the budget nothing may be spent; what else is wrong (its file, say) is for a person. */
function noAnswer(error: unknown): null {
  if (error instanceof MedicError && error.code === 'MEDIC_BUDGET_UNREACHABLE') return null;
  throw error;
}

/** What a settled call counts as, in millionths of a dollar. */
function countsAs(outcome: Settlement['outcome'], reserved: number): number {
  switch (outcome.kind) {
    case 'used':
      return outcome.micros;
    case 'released':
      return 0;
    case 'unknown':
      return reserved;
  }
}

type MaybeNamed = Message & { readonly _request_id?: string | null };

/** Retries are Temporal's: one authority (the client is made with `maxRetries: 0`). */
async function send({ client, stream }: PaidCallDeps, { request, signal }: PaidCall): Promise<MaybeNamed> {
  if (!stream) return client.messages.create(request, { signal });
  const running = client.messages.stream(request, { signal });
  const message = await running.finalMessage();
  return { ...message, _request_id: running.request_id ?? null };
}

function tokensOf({ usage }: Message): TokenCounts {
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
  };
}
