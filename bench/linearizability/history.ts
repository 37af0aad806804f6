import { type Operation, showOperation } from './operation.js';
import { checkRegister, type RegisterOptions } from './register.js';

/** A key whose operations no order explains. */
export interface BrokenKey {
  readonly key: string;
  /** For a person: the operation, what the register may have held, and what was going on around it. */
  readonly message: string;
}

export interface HistoryVerdict {
  readonly broken: readonly BrokenKey[];
  readonly keys: number;
  readonly operations: number;
  /** States that the search went through, over all keys. */
  readonly states: number;
}

/** Operations shown on each side of the one that nothing explains. */
const SHOWN = 6;

/**
 * Checks each key by itself: keys are independent registers, so a history is linearizable exactly if every part of it
 * on one key is (Herlihy and Wing 1990, locality).
 *
 * @throws HistoryTooHard when the bound is reached for a key; the message names it
 */
export function checkHistory(operations: readonly Operation[], options: RegisterOptions = {}): HistoryVerdict {
  const broken: BrokenKey[] = [];
  let states = 0;
  const byKey = groupByKey(operations);
  for (const [key, ofKey] of byKey) {
    const verdict = checkRegister(ofKey, options);
    states += verdict.states;
    if (!verdict.linearizable) broken.push({ key, message: explain(key, ofKey, verdict) });
  }
  return { broken, keys: byKey.size, operations: operations.length, states };
}

function groupByKey(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.key);
    if (group) group.push(operation);
    else groups.set(operation.key, [operation]);
  }
  return groups;
}

type Failure = Extract<ReturnType<typeof checkRegister>, { linearizable: false }>;

function explain(key: string, operations: readonly Operation[], { at, held }: Failure): string {
  const sorted = [...operations].sort((a, b) => a.calledAt - b.calledAt);
  const index = sorted.indexOf(at);
  const around = sorted.slice(Math.max(0, index - SHOWN), index + SHOWN + 1).map(showOperation);
  const values = held.map((value) => (value === null ? 'nothing' : JSON.stringify(value))).join(' or ');
  return `${key}: no order explains ${showOperation(at)}; it may have held ${values}\n  ${around.join('\n  ')}`;
}
