import type { Target } from '../../../src/domain/ids.js';
import type { StepDraft } from '../../../src/domain/proposal.js';
import type { Cure } from '../../protocol.js';

/** For a process that the host shows stopped. `otherwise`: what else would have shown it to run. */
export const resume = (node: Target, otherwise: string): Cure => ({
  title: `let the process of ${node} go on`,
  wouldHaveRefuted: `a process of ${node} that the host shows running, or ${otherwise}`,
  effect: `${node} goes on where it stopped, with its data and its connections`,
  risk: 'none for the others: it takes nothing away, and what it believes of its leases it checks before it serves',
  steps: [resumption(node)],
});

export const startMember = (member: Target): Cure => ({
  title: `start the PD member ${member}`,
  wouldHaveRefuted: `a process of ${member} that runs, or that was stopped by request`,
  effect: `${member} finds its group by its own data, and PD has its tolerance again`,
  risk: RISK_OF_START,
  steps: [start(member)],
});

/** For a store that somebody removes and that has not left yet. */
export const takeBack = (store: Target): Cure => ({
  title: `take the removal of ${store} back`,
  wouldHaveRefuted: `PD calling ${store} Up, or a process of it that does not run`,
  effect: `PD calls ${store} Up again and stops moving its regions away`,
  risk: 'if it was to be removed, it has to be removed again; regions that have left stay where they are',
  steps: [{ kind: 'action', action: 'cancel-removal', target: store }],
});

/** A PD member without which there is no quorum. */
export interface Missing {
  readonly member: Target;
  /** Frozen, not ended. */
  readonly isFrozen: boolean;
}

/** For a PD without a quorum: one member after the other. */
export function bringBack(missing: readonly Missing[]): Cure {
  const names = missing.map(({ member }) => member).join(' and ');
  return {
    title: `bring back ${names}`,
    wouldHaveRefuted: `processes of ${names} that run, or that were stopped by request`,
    effect: 'the members find their group by their own data, and PD has its quorum again',
    risk: RISK_OF_START,
    steps: missing.map(({ member, isFrozen }) => (isFrozen ? resumption(member) : start(member))),
  };
}

const RISK_OF_START = 'none for the others: it takes nothing away; if it ends again, nothing is worse than before';

const resumption = (target: Target): StepDraft => ({ kind: 'action', action: 'resume-process', target });
const start = (target: Target): StepDraft => ({ kind: 'action', action: 'start-pd-member', target });
