import { REPLICATION_DEFAULTS, SCHEDULE_DEFAULTS, SERVER_DEFAULTS } from './config-defaults.js';
import { goDuration, parseGoDuration } from './go-format.js';
import type { SettingValue } from './setting-value.js';
import type { PdState } from './state.js';
import type { Silence } from './stores.js';
import type { PdView } from './view.js';

/** PD: `ScheduleConfig.GetMaxMergeRegionKeys`. */
const KEYS_PER_MIB = 10_000;

/** The sections that can be changed while PD runs. */
export type SectionName = 'schedule' | 'replication' | 'pd-server' | 'log';

/** The settings of each section with PD's defaults. The time table of the profile overrides one, see {@link settingsOf}. */
export const SECTIONS: Readonly<Record<SectionName, Readonly<Record<string, SettingValue>>>> = {
  schedule: { ...SCHEDULE_DEFAULTS, 'max-store-down-time': '30m0s', 'halt-scheduling': 'false' },
  replication: REPLICATION_DEFAULTS,
  'pd-server': SERVER_DEFAULTS['pd-server'],
  log: { level: 'info' },
};

/** A section as `/config` shows it: defaults, the profile's times, and what somebody set. */
export function settingsOf(view: Pick<PdView, 'times' | 'state'>, section: SectionName): Record<string, SettingValue> {
  const set = Object.entries(view.state.settings)
    .filter(([name]) => name.startsWith(`${section}.`))
    .map(([name, value]) => [name.slice(section.length + 1), value] as const);
  const downTime = { 'max-store-down-time': goDuration(BigInt(view.times.storeDownMs) * 1_000_000n) };
  const known = section === 'schedule' ? { ...downTime, 'max-merge-region-keys': mergeLimits(view.state).keys } : {};
  return shown({ ...SECTIONS[section], ...known, ...Object.fromEntries(set) });
}

/** The settings without the one that PD does not show while it is off (Go: `omitempty`). */
export function shown(settings: Readonly<Record<string, SettingValue>>): Record<string, SettingValue> {
  const { 'halt-scheduling': halted, ...others } = settings;
  return halted === undefined || halted === 'false' ? others : { ...others, 'halt-scheduling': halted };
}

/** Regions up to here are merged with a neighbour. Unless somebody sets the keys, they are 10,000 per MiB. */
export function mergeLimits({ settings }: PdState): { readonly mib: number; readonly keys: number } {
  const mib = Number(settings['schedule.max-merge-region-size'] ?? SCHEDULE_DEFAULTS['max-merge-region-size']);
  return { mib, keys: Number(settings['schedule.max-merge-region-keys'] ?? mib * KEYS_PER_MIB) };
}

/** Replicas that every region should have (PD: `max-replicas`, written into the default placement rule). */
export function maxReplicas(state: PdState): number {
  return Number(state.settings['replication.max-replicas'] ?? REPLICATION_DEFAULTS['max-replicas']);
}

/** The silences that make a store Disconnected and Down; the second is a setting. */
export function silenceOf({ times, state }: Pick<PdView, 'times' | 'state'>): Silence {
  const set = state.settings['schedule.max-store-down-time'];
  const setMs = set === undefined ? null : parseGoDuration(String(set));
  return {
    disconnectedMs: times.disconnectedMs,
    storeDownMs: setMs === null ? times.storeDownMs : setMs / 1e6,
  };
}

/** The value that a setting has for a while, null if it has none now. */
export function lentSetting({ state, nowNs }: Pick<PdView, 'state' | 'nowNs'>, name: string): SettingValue | null {
  const lent = state.lent[name];
  return lent !== undefined && BigInt(lent.untilNs) > nowNs ? lent.value : null;
}
