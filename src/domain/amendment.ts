import type { ErrorCode } from './errors.js';
import type { ProposalId } from './ids.js';
import type { Ruling, StepDraft } from './proposal.js';

/** Update `amend`: a person answers the pending proposal with other steps. A wish, not an approval. */
export interface Amendment {
  readonly proposal: ProposalId;
  readonly basisHash: string;
  readonly by: string;
  readonly note: string;
  readonly steps: readonly StepDraft[];
  /** Default: the title of the plan that is amended. */
  readonly title?: string;
}

/** What became of an amendment. */
export type Amended =
  /** It is the pending proposal now, or runs already because policy pre-approves it. */
  | {
      readonly kind: 'stands';
      readonly number: number;
      readonly proposal: ProposalId;
      readonly basisHash: string;
      readonly ruling: Ruling;
    }
  /** The kernel refused it; the plan that it amended waits again. */
  | { readonly kind: 'refused'; readonly number: number; readonly ruling: Ruling }
  /** The ticket went on otherwise before it was ruled on. */
  | { readonly kind: 'overtaken'; readonly phase: string };

const MAX_STEPS = 8;
/** Of all steps together: a history holds no payload of a hundred kilobytes, and a plan is read by a person. */
const MAX_BYTES = 16_000;
const MAX_TITLE = 200;

/** What is wrong with the form of an amendment; `null`: nothing. Whether its steps may run is for the kernel to say. */
export function faultOfAmendment(amendment: unknown): { code: ErrorCode; message: string } | null {
  const fault = shapeFault(amendment);
  return fault === null ? null : { code: 'MEDIC_AMEND_SHAPE', message: fault };
}

function shapeFault(amendment: unknown): string | null {
  if (!isFields(amendment)) return 'need {proposal, basisHash, by, note, steps}';
  const { proposal, basisHash, by, note, title, steps } = amendment;
  if (![proposal, basisHash, by, note].every(isText)) return 'need {proposal, basisHash, by, note, steps}';
  if (title !== undefined && !(isText(title) && title.length <= MAX_TITLE))
    return `the title has at most ${MAX_TITLE} characters`;
  if (!Array.isArray(steps) || steps.length === 0) return 'a plan has at least one step; to stop it, deny it';
  if (steps.length > MAX_STEPS) return `a plan has at most ${MAX_STEPS} steps, not ${steps.length}`;
  if (JSON.stringify(steps).length > MAX_BYTES) return `the steps have more than ${MAX_BYTES} bytes`;
  const wrong = steps.findIndex((step) => !isStep(step));
  return wrong < 0 ? null : `step ${wrong + 1} is neither {action, target} nor {describe, target, call}`;
}

function isStep(step: unknown): boolean {
  if (!isFields(step) || !isText(step.target)) return false;
  if (step.kind === 'action') return isText(step.action);
  return step.kind === 'call' && isText(step.describe) && isCall(step.call);
}

function isCall(call: unknown): boolean {
  if (!isFields(call)) return false;
  if (call.kind === 'shell') return isText(call.host) && isText(call.command);
  const { kind, api, method, path, node, body } = call;
  if (kind !== 'http' || !isText(api) || !METHODS.includes(String(method))) return false;
  return isText(path) && path.startsWith('/') && [node, body].every((part) => part === undefined || isText(part));
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
