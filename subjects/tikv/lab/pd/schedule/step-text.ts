import type { PeerAt, Step } from './step.js';

/** A step in PD's words. */
export function stepText(step: Step): string {
  switch (step.kind) {
    case 'transfer-leader':
      return `transfer leader from store ${step.from} to store ${step.to}`;
    case 'add-learner':
      return `add learner peer ${step.peerId} on store ${step.storeId}`;
    case 'promote-learner':
      return promote(step);
    case 'enter-joint':
      return ['use joint consensus', ...step.promote.map(promote), ...step.demote.map(demote)].join(', ');
    case 'leave-joint':
      return ['leave joint state', ...step.promote.map(promote), ...step.demote.map(demote)].join(', ');
    case 'remove-peer':
      return `remove peer on store ${step.storeId}`;
  }
}

function promote({ peerId, storeId }: PeerAt): string {
  return `promote learner peer ${peerId} on store ${storeId} to voter`;
}

function demote({ peerId, storeId }: PeerAt): string {
  return `demote voter peer ${peerId} on store ${storeId} to learner`;
}
