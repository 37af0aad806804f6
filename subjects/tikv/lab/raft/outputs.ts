import type { Core } from './core.js';
import type { Ready } from './member.js';
import { adopt, changesIn } from './reconfigure.js';
import { advanceCommit, sendAppends } from './replication.js';

/** Taken once: a global is slow to look up in the module context in which the simulation is tested. */
const { max, min } = Math;

/** Collects all work since the last Ready; null if there is none or the last one is not done. */
export function takeReady(core: Core): Ready | null {
  if (core.inFlight) return null;
  sendAppends(core);
  const ready = collect(core);
  if (isIdle(ready)) return null;
  core.inFlight = { durable: core.log.handed, applied: core.log.delivered, changes: ready.changes };
  return ready;
}

/** The Ready is persisted, sent and applied. */
export function finishReady(core: Core): void {
  if (!core.inFlight) throw new Error('advance() without a Ready');
  const { log } = core;
  // Entries that were replaced meanwhile are not durable, whatever the disk said.
  log.durable = max(log.durable, min(core.inFlight.durable, log.handed));
  const { applied, changes } = core.inFlight;
  log.applied = applied;
  core.inFlight = null;
  for (const change of changes) adopt(core, change);
  if (core.role === 'leader') advanceCommit(core);
}

function collect(core: Core): Ready {
  const { log } = core;
  const entries = log.slice({ from: log.handed + 1, to: log.lastIndex });
  const committed = log.slice({ from: log.delivered + 1, to: log.commit });
  const hardState = changedHardState(core);
  const changes = changesIn(core, committed);
  const mustSync = entries.length > 0 || core.pending !== null || changes.length > 0 || isNewPromise(core);
  const ready: Ready = { entries, committed, changes, messages: core.outbox, mustSync };
  if (hardState) ready.hardState = hardState;
  if (core.pending?.kind === 'install') ready.snapshot = core.pending.snapshot;
  if (core.pending?.kind === 'own') ready.compacted = core.pending.snapshot;
  log.handed = log.lastIndex;
  log.delivered = max(log.delivered, log.commit);
  core.outbox = [];
  core.pending = null;
  core.lastHardState = core.hardState;
  return ready;
}

function changedHardState(core: Core): Ready['hardState'] {
  const changed = isNewPromise(core) || core.lastHardState.commit !== core.log.commit;
  return changed ? core.hardState : undefined;
}

function isNewPromise({ lastHardState, term, vote }: Core): boolean {
  return lastHardState.term !== term || lastHardState.vote !== vote;
}

function isIdle({ hardState, entries, snapshot, compacted, messages, committed }: Ready): boolean {
  return !hardState && !snapshot && !compacted && !entries.length && !messages.length && !committed.length;
}
