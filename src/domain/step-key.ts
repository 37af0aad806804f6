import { causeName } from './cause.js';
import type { NextStep } from './next-step.js';
import { describeCall } from './query.js';

/** What two next steps are compared by: what kind they are and what they are about, never how they are worded. */
export interface StepKey {
  readonly kind: NextStep['kind'];
  /** `process-dead/tikv-2: start-store tikv-2`, the calls of a look in order of their text, a conclusion. */
  readonly target: string;
}

export function stepKey(step: NextStep): StepKey {
  switch (step.kind) {
    case 'look':
      return { kind: step.kind, target: step.calls.map(describeCall).sort().join(' · ') };
    case 'propose': {
      const steps = step.proposal.steps.map((one) =>
        one.kind === 'action' ? `${one.action} ${one.target}` : describeCall(one.call),
      );
      return { kind: step.kind, target: `${causeName(step.proposal.cause)}: ${steps.join(' · ')}` };
    }
    case 'conclude':
      return { kind: step.kind, target: step.conclusion };
    case 'ask':
    case 'escalate':
      return { kind: step.kind, target: 'a person' };
  }
}

export const sameStep = (a: StepKey, b: StepKey): boolean => a.kind === b.kind && a.target === b.target;
