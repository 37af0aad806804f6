import type { Core } from './core.js';
import type { TransferResult } from './member.js';
import { appendSeal } from './roles.js';
import type { NodeId } from './types.js';

/** Starts to hand the leadership to `to`. Proposals and lease reads are refused until it is done or given up. */
export function startTransfer(core: Core, to: NodeId): TransferResult {
  if (core.role !== 'leader') return { ok: false, reason: 'not-leader' };
  if (to === core.id) return { ok: false, reason: 'already-leader' };
  if (!core.peers.has(to)) return { ok: false, reason: 'unknown-member' };
  if (!core.electorate.membership.voters.includes(to)) return { ok: false, reason: 'not-voter' };
  if (core.transfer && core.transfer.to !== to) return { ok: false, reason: 'transfer-in-progress' };
  core.transfer ??= { to, startedAt: core.now, sent: false };
  continueTransfer(core, to);
  return { ok: true };
}

/** Tells the target to start an election once its log is complete; repeated at each sign of life, as messages get lost. */
export function continueTransfer(core: Core, heardFrom: NodeId): void {
  const { transfer } = core;
  if (transfer?.to !== heardFrom) return;
  const { lastIndex } = core.log;
  if (core.peers.get(heardFrom)?.match !== lastIndex) return;
  core.send({ type: 'timeout-now', to: heardFrom, lastIndex });
  transfer.sent = true;
}

/** Gives up after an election timeout. */
export function expireTransfer(core: Core): void {
  if (core.transfer && core.now - core.transfer.startedAt >= core.electionTicks) cancelTransfer(core);
}

/**
 * The request may still be under way and voters would obey it in spite of their promise, so the lease counts only
 * after a further entry is committed: from then on that request cannot win.
 */
export function cancelTransfer(core: Core): void {
  const { transfer } = core;
  core.transfer = null;
  if (transfer?.sent) appendSeal(core);
}
