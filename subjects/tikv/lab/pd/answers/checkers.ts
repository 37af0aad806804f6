import { checkerPause } from '../pauses.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** The checkers that can be paused. Of these `rule` and `joint-state` check something here. */
const CHECKERS = ['learner', 'replica', 'rule', 'split', 'merge', 'joint-state', 'affinity'];

export const CHECKER_NOT_FOUND = json('[PD:checker:ErrCheckerNotFound]checker not found', 500);

/** `GET /checker/{name}` */
export function checker(view: PdView, name: string): Answer {
  if (!isChecker(name)) return CHECKER_NOT_FOUND;
  return json({ paused: view.pauses.at(checkerPause(name), view.nowNs) !== null });
}

export function isChecker(name: string): boolean {
  return CHECKERS.includes(name);
}
