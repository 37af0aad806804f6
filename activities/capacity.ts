import type { Target } from '../src/domain/ids.js';
import type { Step } from '../src/domain/proposal.js';
import { classify, type Rules } from '../src/policy/classify.js';
import type { Capacity, CommandClass } from '../src/policy/row.js';
import { brokenIn } from './health.js';
import type { Room } from './room.js';
import type { Facts } from './ruling.js';

export interface CapacityQuestion {
  readonly room: Room;
  readonly rules: Rules;
  readonly facts: Facts;
  readonly steps: readonly Step[];
}

/**
 * Classes of causes that must have been refuted before these steps may run; empty unless one of them scales, moves
 * replicas or leaders, or restarts what is healthy in these facts.
 */
export function upstreamOf({ room, rules, facts, steps }: CapacityQuestion): readonly string[] {
  const { upstream = [] } = room.subject;
  if (upstream.length === 0) return [];
  const sick = new Set(brokenIn(room.subject, facts.picture, facts.at).map(({ target }) => target));
  return steps.some((step) => isAboutCapacity({ room, rules, step, sick })) ? upstream : [];
}

interface Asked extends Pick<CapacityQuestion, 'room' | 'rules'> {
  readonly step: Step;
  /** Targets of what is broken. */
  readonly sick: ReadonlySet<Target | null>;
}

function isAboutCapacity({ room, rules, step, sick }: Asked): boolean {
  const kind = classify(step.call, rules).worst;
  const isHealthy = (target: Target) => !sick.has(target);
  switch (capacityOf(room, step, kind)) {
    case 'always':
      return true;
    case 'when-healthy':
      return touched(step, kind).some(isHealthy);
    case null:
      return false;
  }
}

/** The row of the call is what counts; the action of the catalogue may ask for more. */
function capacityOf({ subject }: Room, step: Step, kind: CommandClass): Capacity | null {
  const action = subject.actions.find(({ name }) => name === step.action)?.capacity;
  const row = kind.kind === 'mutate' ? kind.capacity : undefined;
  return [action, row].includes('always') ? 'always' : (action ?? row ?? null);
}

/** What the row names; the target that the reasoner named only where the row does not know it. */
function touched({ target }: Step, kind: CommandClass): readonly Target[] {
  if (kind.kind !== 'mutate') return [target];
  const { touches, takesAway, unknown } = kind.influence;
  const named = [...touches, ...takesAway];
  return unknown || named.length === 0 ? [...named, target] : named;
}
