import { runningEntry } from '../scheduler-entries.js';
import { lentSetting, settingsOf } from '../settings.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** The schedulers that can be asked, with the limit that holds each back. */
const LIMITS: Readonly<Record<string, 'leader' | 'region'>> = {
  'balance-leader-scheduler': 'leader',
  'balance-region-scheduler': 'region',
};

/**
 * `GET /schedulers/diagnostic/{name}`: `scheduling` while something of it runs, `pending` while its schedule limit is
 * used up, else `normal`, with the number of stores that are level.
 */
export function diagnostic(view: PdView, name: string): Answer {
  const counts = LIMITS[name];
  if (counts === undefined) {
    return json(`[PD:diagnostic:ErrSchedulerUndiagnosable]${name} hasn't supported diagnostic`, 500);
  }
  const status = statusOf(view, { name, counts });
  const level = Object.values(view.state.stores).filter(({ state }) => state === 'Up').length;
  return json({
    name,
    status,
    summary: status === 'normal' ? `${level} store(s) StoreScoreDisallowed; ` : '',
    timestamp: Number(view.nowNs / 1_000_000_000n),
  });
}

type Status = 'disabled' | 'paused' | 'halted' | 'scheduling' | 'pending' | 'normal';

function statusOf(
  view: PdView,
  { name, counts }: { readonly name: string; readonly counts: 'leader' | 'region' },
): Status {
  if (runningEntry(view.state.schedulers, name) === undefined) return 'disabled';
  if (view.pauses.at(name, view.nowNs) !== null) return 'paused';
  const setting = (key: string) => lentSetting(view, `schedule.${key}`) ?? settingsOf(view, 'schedule')[key];
  if (String(setting('halt-scheduling')) === 'true') return 'halted';
  const { operators } = view.schedule;
  if (operators.some(({ desc }) => desc === name)) return 'scheduling';
  const running = operators.filter(({ kinds }) => kinds[0] === counts).length;
  return running >= Number(setting(`${counts}-schedule-limit`)) ? 'pending' : 'normal';
}
