import { reportedShare } from '../regions.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** PD starts its schedulers once leaders reported this share of the regions, overall and of each store. */
const PREPARED_SHARE = 0.8;

/** The schedulers that PD makes by itself, in the order of its configuration. */
export const DEFAULT_SCHEDULERS = [
  'balance-region-scheduler',
  'balance-leader-scheduler',
  'balance-hot-region-scheduler',
  'evict-slow-store-scheduler',
  'evict-stopping-store-scheduler',
] as const;

/** The schedulers that a leader lists now: none until it knows its regions. */
export function runningSchedulers(view: PdView): readonly string[] {
  return reportedShare(view.regions) >= PREPARED_SHARE ? DEFAULT_SCHEDULERS : [];
}

/**
 * `GET /schedulers[?status=paused|disabled]`. They are listed and never act: this stand-in schedules nothing yet. None is
 * ever paused or disabled, and an unknown status is no filter.
 */
export function schedulers(view: PdView, query: URLSearchParams): Answer {
  const status = query.get('status');
  return json(status === 'paused' || status === 'disabled' ? [] : runningSchedulers(view));
}

/** `GET /operators[?kind=]`: there are none, as nothing schedules. A kind without a match is `null`. */
export function operators(query: URLSearchParams): Answer {
  return json(query.has('kind') ? null : []);
}
