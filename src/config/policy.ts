import * as z from 'zod';
import type { PolicyFile, Rate } from '../policy/policy-file.js';
import { AUTONOMY } from '../policy/policy-file.js';
import { parseDuration } from './duration.js';
import { parseYaml, readConfigText } from './yaml-file.js';

const RATE = 'must be like `2 per target per 1h`';
const RateText = z.string({ error: RATE }).transform((text, context): Rate => {
  const rate = parseRate(text);
  if (rate) return rate;
  context.addIssue({ code: 'custom', message: RATE, input: text });
  return z.NEVER;
});

const Approval = z
  .strictObject({
    action: z.string().min(1),
    agent: z.string().min(1),
    max: RateText,
    evenIfUnreadable: z.boolean().optional(),
  })
  .describe('a pre-approval');

const Policy = z
  .strictObject({
    version: z.literal(1),
    environment: z.string().min(1),
    autonomy: z.enum(AUTONOMY),
    preApproved: z.array(Approval).superRefine(onceEach),
  })
  .describe('a policy') satisfies z.ZodType<PolicyFile>;

/** A policy and the hash of the file it came from, which every ruling names. */
export interface LoadedPolicy {
  readonly policy: PolicyFile;
  readonly sha256: string;
}

/** Loads `policies/<environment>.yaml`. Throws `MEDIC_CONFIG_*` with file, line and column. */
export async function loadPolicy(path: string): Promise<LoadedPolicy> {
  const { text, sha256 } = await readConfigText(path);
  return { policy: parseYaml({ path, text }, Policy), sha256 };
}

function parseRate(text: string): Rate | null {
  const [, times, within] = /^([1-9][0-9]{0,3}) per target per (.+)$/.exec(text) ?? [];
  const withinMs = parseDuration(within ?? '');
  return times && withinMs !== null ? { times: Number(times), per: 'target', withinMs } : null;
}

/** Two entries for one action and agent would leave open which rate counts. */
function onceEach(approvals: readonly z.infer<typeof Approval>[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  approvals.forEach((approval, index) => {
    const name = `${approval.action} for ${approval.agent}`;
    if (seen.has(name))
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `pre-approves ${name} a second time`,
        input: approval,
      });
    seen.add(name);
  });
}
