import type { Approval } from '../src/domain/approval.js';
import { type Instant, instant, subjectOf } from '../src/domain/ids.js';
import type { Ruling } from '../src/domain/proposal.js';
import { needOf } from '../src/policy/authority.js';
import { isEnough, type Scales, standing, weigh } from '../src/policy/weigh.js';
import type { ActInput } from '../workflows/activity-contract.js';
import { basisHashOf } from './basis-hash.js';
import { matterOf, type RulingDeps } from './ruling.js';
import { currentRun } from './run-id.js';

type PermissionDeps = Pick<RulingDeps, 'policy' | 'authority' | 'now'>;

/**
 * Why a step may not run, whatever was approved, or why what was approved is not enough: weighed with the configuration
 * of this moment, against the basis that is compared with the facts, and so with the very bytes of the command.
 */
export async function whyNot(deps: PermissionDeps, input: ActInput, ruling: Ruling): Promise<string | null> {
  if (ruling.kind === 'read' || ruling.kind === 'pre-approved') return null;
  if (ruling.kind === 'forbidden' || input.approvedBy === null)
    return `policy now says ${ruling.kind}: ${ruling.reason}`;
  if (input.run !== undefined && input.run !== currentRun()) return 'the ticket was reset since it was approved';
  const asked = { subject: subjectOf(input.ticket), ruling: ruling.kind, steps: [input.plan] };
  const { authority, matter } = await matterOf(deps, asked);
  const basisHash = basisHashOf(input.basis);
  const now = instant(deps.now());
  const scales: Scales = { authority, matter, run: currentRun(), proposal: input.proposal, basisHash, now };
  return whyNotEnough(scales, input.approvals ?? [inOldForm(input, { basisHash, now })]);
}

function whyNotEnough(scales: Scales, approvals: readonly Approval[]): string | null {
  const stand = standing(scales, approvals);
  if (isEnough(scales, stand)) return null;
  const lost = approvals.flatMap((approval) => {
    const weight = weigh(scales, approval);
    return weight.ok ? [] : [`the approval of ${approval.by} does not count any more: ${weight.reason}`];
  });
  const { people } = needOf(scales.authority, scales.matter);
  return [...lost, `it has ${stand.length} of ${people} approvals`].join('; ');
}

/** An approval by a workflow of 0.1, which could not tell whose it was. */
function inOldForm(
  { proposal, approvedBy }: ActInput,
  { basisHash, now }: { readonly basisHash: string; readonly now: Instant },
): Approval {
  const expiresAt = instant(Date.parse(now) + 1_000);
  return { proposal, answer: 'approve', by: approvedBy ?? '', note: '', basisHash, expiresAt };
}
