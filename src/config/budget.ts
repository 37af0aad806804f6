import * as z from 'zod';
import { MAX_AGENTS } from '../domain/budget-books.js';
import { type Ceilings, MOST_USD } from '../domain/ceilings.js';
import { AGENT_NAME } from '../domain/reservation.js';
import { parseYaml, readConfigText } from './yaml-file.js';

const Usd = z.number().min(0).max(MOST_USD);

const PERCENT = 'must be a percentage like `80%`';
const Percent = z.string({ error: PERCENT }).transform((text, context): number => {
  const percent = /^([0-9]{1,3})%$/.exec(text)?.[1];
  if (percent && Number(percent) >= 1 && Number(percent) <= 100) return Number(percent) / 100;
  context.addIssue({ code: 'custom', message: PERCENT, input: text });
  return z.NEVER;
});

const Budget = z
  .strictObject({
    version: z.literal(1),
    month: Usd,
    agents: z.record(z.string(), Usd).superRefine(namesOfAgents),
    ticket: Usd,
    warnAt: Percent,
  })
  .describe('a budget');

/** A budget and the hash of the file it came from. */
export interface LoadedBudget {
  readonly ceilings: Ceilings;
  readonly sha256: string;
}

/** Loads `policies/budget.yaml`; amounts are dollars. Throws `MEDIC_CONFIG_*` with file, line and column. */
export async function loadBudget(path: string): Promise<LoadedBudget> {
  const { text, sha256 } = await readConfigText(path);
  const { month, agents, ticket, warnAt } = parseYaml({ path, text }, Budget);
  return { ceilings: { monthUsd: month, agents, ticketUsd: ticket, warnAt }, sha256 };
}

function namesOfAgents(agents: Readonly<Record<string, number>>, context: z.RefinementCtx): void {
  const names = Object.keys(agents);
  for (const name of names.filter((each) => !AGENT_NAME.test(each)))
    context.addIssue({ code: 'custom', path: [name], message: 'is not the name of an agent', input: agents });
  if (names.length > MAX_AGENTS)
    context.addIssue({ code: 'custom', message: `must have at most ${MAX_AGENTS} agents`, input: agents });
}
