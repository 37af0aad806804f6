import { runningEntry } from '../scheduler-entries.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

const DIAGNOSABLE = ['balance-leader-scheduler', 'balance-region-scheduler'];

/**
 * `GET /schedulers/diagnostic/{name}`. A scheduler that is there is `pending`, PD's word for one that has made no round
 * yet: this stand-in schedules nothing.
 */
export function diagnostic(view: PdView, name: string): Answer {
  if (!DIAGNOSABLE.includes(name)) {
    return json(`[PD:diagnostic:ErrSchedulerUndiagnosable]${name} hasn't supported diagnostic`, 500);
  }
  return json({
    name,
    status: statusOf(view, name),
    summary: '',
    timestamp: Number(view.nowNs / 1_000_000_000n),
  });
}

function statusOf(view: PdView, name: string): 'disabled' | 'paused' | 'pending' {
  if (runningEntry(view.state.schedulers, name) === undefined) return 'disabled';
  return view.pauses.at(name, view.nowNs) === null ? 'pending' : 'paused';
}
