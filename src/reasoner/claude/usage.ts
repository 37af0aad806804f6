import type { ModelCall, Usage } from '../../domain/next-step.js';

/** Over all calls of a turn. Input counts what was read from and written to the cache as well. */
export const usageOf = (calls: readonly ModelCall[]): Usage => ({
  inputTokens: sum(calls, ({ tokens }) => tokens.input + tokens.cacheRead + tokens.cacheWrite),
  outputTokens: sum(calls, ({ tokens }) => tokens.output),
  usd: sum(calls, ({ usd }) => usd),
});

const sum = (calls: readonly ModelCall[], of: (call: ModelCall) => number): number =>
  calls.reduce((total, call) => total + of(call), 0);
