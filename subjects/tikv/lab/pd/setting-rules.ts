import type { SettingValue } from './setting-value.js';

/** A section with the new value in it. */
type Section = Readonly<Record<string, SettingValue>>;

/** PD's words about a section that does not fit together, null if it does (PD: `ScheduleConfig.Validate` and others). */
export function sectionFault(section: string, values: Section): string | null {
  return RULES[section]?.(values) ?? null;
}

/** The levels of PD's log. */
export const LOG_LEVELS: readonly string[] = ['debug', 'info', 'warn', 'warning', 'error', 'fatal'];

const RULES: Readonly<Record<string, (values: Section) => string | null>> = {
  schedule: scheduleFault,
  replication: (values) =>
    values['max-replicas'] === 0 ? '[PD:placement:ErrRuleContent]invalid rule content, invalid count 0' : null,
  log: ({ level }) => (LOG_LEVELS.includes(String(level)) ? null : `log level ${level} is illegal`),
};

function scheduleFault(values: Section): string | null {
  const [low, high] = [Number(values['low-space-ratio']), Number(values['high-space-ratio'])];
  if (Number(values['tolerant-size-ratio']) < 0) return 'tolerant-size-ratio should be non-negative';
  if (low < 0 || low > 1) return 'low-space-ratio should between 0 and 1';
  if (high < 0 || high > 1) return 'high-space-ratio should between 0 and 1';
  return low <= high ? 'low-space-ratio should be larger than high-space-ratio' : null;
}
