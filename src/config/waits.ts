import * as z from 'zod';
import type { Rung } from '../domain/waits.js';
import { Duration } from './duration.js';

const Step = z
  .strictObject({ after: Duration, tell: z.array(z.string().min(1)).min(1) })
  .describe('a step of the escalation chain');

/** How long Medic waits for people and for the gate. */
export const Waits = z
  .strictObject({
    remindAfter: Duration.optional(),
    expireAfter: Duration.optional(),
    gateRetry: Duration.optional(),
    gateGiveUp: Duration.optional(),
    escalation: z.array(Step).default([]),
  })
  .describe('the waits');

/** Of medic.yaml, in ms; what it does not say stays as it is. */
export interface WaitsConfig {
  readonly remindMs?: number;
  readonly expireMs?: number;
  readonly gateRetryMs?: number;
  readonly gateGiveUpMs?: number;
  /** The earliest first. */
  readonly escalation: readonly Rung[];
}

/** The waits of a file, with only those that it sets. */
export function waitsOf(waits: z.infer<typeof Waits> | undefined): WaitsConfig {
  const { remindAfter, expireAfter, gateRetry, gateGiveUp, escalation = [] } = waits ?? {};
  const set = { remindMs: remindAfter, expireMs: expireAfter, gateRetryMs: gateRetry, gateGiveUpMs: gateGiveUp };
  const chain = escalation.map(({ after, tell }) => ({ afterMs: after, tell }));
  return {
    ...Object.fromEntries(Object.entries(set).filter(([, ms]) => ms !== undefined)),
    escalation: chain.sort((a, b) => a.afterMs - b.afterMs),
  };
}

/** Whoever the chain tells must be there to be told. */
export function tellsKnown(
  { notify, waits }: { readonly notify: readonly { readonly name: string }[]; readonly waits?: z.infer<typeof Waits> },
  context: z.RefinementCtx,
): void {
  const names = new Set(notify.map(({ name }) => name));
  for (const [step, { tell }] of (waits?.escalation ?? []).entries())
    for (const [index, name] of tell.entries())
      if (!names.has(name))
        context.addIssue({
          code: 'custom',
          path: ['waits', 'escalation', step, 'tell', index],
          message: 'must be the name of an entry of `notify`',
          input: name,
        });
}
