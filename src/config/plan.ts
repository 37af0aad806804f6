import { stringify } from 'yaml';
import * as z from 'zod';
import type { StepDraft } from '../domain/proposal.js';
import type { Call } from '../domain/query.js';
import { parseYaml } from './yaml-file.js';
import type { YamlText } from './yaml-source.js';

const Text = z.string().min(1);
const WAYS = 'must have either `action`, or `host` and `command`, or `api`, `method` and `path`';
const DESCRIBE = 'must say in `describe` what it does, as it is no action of the catalogue';

const Step = z
  .strictObject({
    target: Text,
    action: Text.optional(),
    describe: Text.optional(),
    host: Text.optional(),
    command: Text.optional(),
    api: Text.optional(),
    node: Text.optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
    path: z.string().regex(/^\//, { error: 'must begin with `/`' }).optional(),
    body: Text.optional(),
  })
  .describe('a step')
  .superRefine((step, context) => {
    const say = (message: string) => context.addIssue({ code: 'custom', message, input: undefined, path: ['action'] });
    if (waysOf(step).length !== 1) context.addIssue({ code: 'custom', message: WAYS, input: step });
    else if (step.action === undefined && step.describe === undefined)
      context.addIssue({ code: 'custom', message: DESCRIBE, input: step });
    else if (step.action !== undefined && step.describe !== undefined)
      say('is described by the catalogue: leave `describe` out');
  });

type Written = z.infer<typeof Step>;

const Plan = z.strictObject({ title: Text.optional(), steps: z.array(Step).min(1).max(8) }).describe('a plan');

/** A plan as a person writes it. */
export interface WrittenPlan {
  readonly title?: string;
  readonly steps: readonly StepDraft[];
}

/** Reads a plan in YAML or JSON. Throws `MEDIC_CONFIG_*` with line and column. */
export function parsePlan(text: YamlText): WrittenPlan {
  const { title, steps } = parseYaml(text, Plan);
  return { ...(title === undefined ? {} : { title }), steps: steps.map(toDraft) };
}

/** The complete ways of carrying out that a step names. */
function waysOf({ action, host, command, api, method, path }: Omit<Written, 'target'>): string[] {
  const parts = [[action], [host, command], [api, method, path]];
  return parts.flatMap((way) => (way.every((part) => part !== undefined) ? [String(way[0])] : []));
}

function toDraft({ target, action, describe = '', ...call }: Written): StepDraft {
  if (action !== undefined) return { kind: 'action', action, target };
  return { kind: 'call', describe, target, call: toCall(call) };
}

function toCall({ host, command, api = '', node, method = 'GET', path = '', body }: Partial<Written>): Call {
  if (host !== undefined && command !== undefined) return { kind: 'shell', host, command };
  return { kind: 'http', api, method, path, ...(node ? { node } : {}), ...(body ? { body } : {}) };
}

/** What stands above a plan that a person is to change. */
const HELP = `# Change the steps and save; the kernel judges them from scratch. Saved as it is, nothing is sent.
# A step is one of
#   {action: NAME, target: NAME}                                      of the catalogue
#   {describe: TEXT, target: NAME, host: NAME, command: TEXT}         on a host
#   {describe: TEXT, target: NAME, api: NAME, method: POST, path: /}  over HTTP; body and node may be added
`;

/** A plan as text for an editor. Steps of the catalogue stand by their names. */
export function planText({ title, steps }: { readonly title: string; readonly steps: readonly PlanStep[] }): string {
  return HELP + stringify({ title, steps: steps.map(written) });
}

interface PlanStep {
  readonly describe: string;
  readonly action: string | null;
  readonly target: string;
  readonly call: Call;
}

function written({ describe, action, target, call: { kind: _, ...call } }: PlanStep): Record<string, unknown> {
  return action === null ? { describe, target, ...call } : { action, target };
}
