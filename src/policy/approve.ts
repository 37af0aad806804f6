import type { ErrorCode } from '../domain/errors.js';
import type { Target } from '../domain/ids.js';
import type { Ruling } from '../domain/proposal.js';
import type { Autonomy, PolicyFile, PreApproval } from './policy-file.js';

export interface ApprovalInput {
  readonly step: { readonly action: string | null; readonly target: Target };
  readonly scope: { readonly agent: string; readonly actions: readonly string[] };
  readonly autonomy: Autonomy;
  readonly policy: PolicyFile;
  readonly preApproval: PreApproval | null;
  readonly recentActs: number;
  /** Why the picture cannot be relied on; only restorative steps get here with one. */
  readonly unreadable: string | null;
}

/** Whether a step that nothing speaks against runs by itself or needs a person. */
export function approve(input: ApprovalInput): Ruling {
  const { step, autonomy, policy, preApproval, unreadable } = input;
  if (step.action === null) return ask('it is no action of the catalogue, so no policy row pre-approves it');
  if (!input.scope.actions.includes(step.action)) {
    return ask(`${step.action} is not in the scope of ${input.scope.agent}`, 'MEDIC_POLICY_SCOPE');
  }
  if (autonomy !== 'playbooks') return ask('this subject runs only what a person approved');
  if (!preApproval)
    return ask(`policy ${policy.environment} does not pre-approve ${step.action} for ${input.scope.agent}`);
  if (unreadable && preApproval.evenIfUnreadable !== true) {
    return ask(`policy pre-approves ${step.action} only while the picture can be read: ${unreadable}`);
  }
  return withinRate(input, preApproval);
}

function withinRate({ step, policy, recentActs }: ApprovalInput, { action, max }: PreApproval): Ruling {
  const rate = `${max.times} per target in ${inWords(max.withinMs)}`;
  if (recentActs >= max.times) {
    return ask(`${action} ran ${recentActs} times on ${step.target} already; policy allows ${rate}`);
  }
  const reason = `policy ${policy.environment} pre-approves ${action} (number ${recentActs + 1} of ${rate})`;
  return { kind: 'pre-approved', reason };
}

function inWords(ms: number): string {
  const unit = (
    [
      [3_600_000, 'h'],
      [60_000, 'min'],
      [1_000, 's'],
    ] as const
  ).find(([size]) => ms >= size && ms % size === 0);
  return unit ? `${ms / unit[0]} ${unit[1]}` : `${ms} ms`;
}

const ask = (reason: string, code?: ErrorCode): Ruling => ({
  kind: 'needs-approval',
  reason,
  ...(code ? { code } : {}),
});
