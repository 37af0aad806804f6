import { goTime } from '../go-format.js';
import type { Pause } from '../pauses.js';
import { schedulerName } from '../scheduler-entries.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

const NANOS_PER_SECOND = 1_000_000_000n;

/** The schedulers that a leader lists now, paused ones too: none until it knows its regions. */
export function runningSchedulers(view: PdView): readonly string[] {
  if (!view.schedule.prepared) return [];
  return view.state.schedulers.filter(({ disable }) => !disable).map(({ type }) => schedulerName(type));
}

/**
 * `GET /schedulers[?status=paused|disabled][&timestamp]`. PD lists none as disabled, not even those that somebody
 * removed; an unknown status is no filter.
 */
export function schedulers(view: PdView, query: URLSearchParams): Answer {
  const status = query.get('status');
  if (status === 'disabled') return json([]);
  if (status !== 'paused') return json(runningSchedulers(view));
  const paused = pausedSchedulers(view);
  return json(query.has('timestamp') ? paused.map(withTimes) : paused.map(({ name }) => name));
}

function pausedSchedulers(view: PdView): { name: string; pause: Pause }[] {
  return runningSchedulers(view).flatMap((name) => {
    const pause = view.pauses.at(name, view.nowNs);
    return pause === null ? [] : [{ name, pause }];
  });
}

function withTimes({ name, pause }: { readonly name: string; readonly pause: Pause }): object {
  const time = (seconds: number) => goTime(BigInt(seconds) * NANOS_PER_SECOND);
  return { name, paused_at: time(pause.from), resume_at: time(pause.until) };
}
