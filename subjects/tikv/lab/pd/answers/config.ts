import { SERVER_DEFAULTS } from '../config-defaults.js';
import { goDuration } from '../go-format.js';
import { DEFAULT_SCHEDULERS, type SchedulerEntry } from '../scheduler-entries.js';
import { SECTIONS, settingsOf, shown } from '../settings.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';
import { limitsOf } from './store-limits.js';

/** The sections of `GET /config` that only the leader knows. */
export interface LeaderSections {
  readonly schedule: unknown;
  readonly replication: unknown;
}

/** `GET /config` of the leader. */
export function config(view: PdView): Answer {
  const sections = { schedule: scheduleOf(view), replication: settingsOf(view, 'replication') };
  return json(configOf(view, sections, view.state.clusterVersion));
}

/** `GET /config` of a follower: its own settings with the leader's sections in them. Its cluster version may be old. */
export function followerConfig(view: PdView, sections: LeaderSections): Answer {
  return json(configOf(view, sections, view.knownClusterVersion));
}

/** `GET /config/schedule` */
export function scheduleConfig(view: PdView): Answer {
  return json(scheduleOf(view));
}

/** `GET /config/replicate` */
export function replicationConfig(view: PdView): Answer {
  return json(settingsOf(view, 'replication'));
}

/** `GET /config/pd-server` */
export function serverConfig(view: PdView): Answer {
  return json(settingsOf(view, 'pd-server'));
}

/** `GET /config/replication-mode` */
export function replicationModeConfig(): Answer {
  return json(SERVER_DEFAULTS['replication-mode']);
}

/** `GET /config/cluster-version` */
export function clusterVersionConfig(view: PdView): Answer {
  return json(view.state.clusterVersion);
}

/** `GET /config/label-property` */
export function labelPropertyConfig(): Answer {
  return json(SERVER_DEFAULTS['label-property']);
}

/** `GET /config/default`: the settings of a PD that was started without any. */
export function defaultConfig(view: PdView): Answer {
  const name = `pd-${view.self.name}`;
  const self = { ...view.self, name, clientUrl: 'http://127.0.0.1:2379', peerUrl: 'http://127.0.0.1:2380' };
  const process = { ...view.process, dataDir: `default.${name}` };
  const schedule = {
    ...shown(SECTIONS.schedule),
    'max-merge-region-keys': 0,
    'store-limit': {},
    ...entriesOf(DEFAULT_SCHEDULERS),
  };
  const bare = { ...view, self, members: [self], process, state: { ...view.state, settings: {} } };
  const defaults = configOf(bare, { schedule, replication: SECTIONS.replication }, '0.0.0');
  const log = { ...logSettings('info'), file: { filename: '', 'max-size': 0, 'max-days': 0, 'max-backups': 0 } };
  return json({ ...defaults, log, 'label-property': null });
}

/** The schedule section, with the limits of the stores and the schedulers. */
function scheduleOf(view: PdView): object {
  return {
    ...settingsOf(view, 'schedule'),
    'store-limit': limitsOf(view),
    ...entriesOf(view.state.schedulers),
  };
}

function entriesOf(entries: readonly SchedulerEntry[]): object {
  return {
    'schedulers-v2': entries.map(({ type, disable, storeIds }) => ({
      type,
      args: storeIds === undefined ? null : storeIds.map(String),
      disable,
      'args-payload': '',
    })),
  };
}

function configOf(view: PdView, sections: LeaderSections, clusterVersion: string): Record<string, unknown> {
  const { self, times } = view;
  return {
    'client-urls': self.clientUrl,
    'peer-urls': self.peerUrl,
    'advertise-client-urls': self.clientUrl,
    'advertise-peer-urls': self.peerUrl,
    name: self.name,
    'data-dir': view.process.dataDir,
    'initial-cluster': view.members
      .map(({ name, peerUrl }) => `${name}=${peerUrl}`)
      .sort()
      .join(','),
    lease: times.pdLeaseMs / 1000,
    log: logSettings(String(settingsOf(view, 'log').level)),
    metric: { job: self.name, address: '', interval: '15s' },
    schedule: sections.schedule,
    replication: sections.replication,
    'cluster-version': clusterVersion,
    'tick-interval': duration(times.pdTickMs),
    'election-interval': duration(times.pdElectionMs),
    ...SERVER_DEFAULTS,
    'pd-server': settingsOf(view, 'pd-server'),
  };
}

/** No file: members of the lab log to their standard output, as PD does without `--log-file`. */
function logSettings(level: string): object {
  return {
    level,
    format: 'text',
    'disable-timestamp': false,
    file: { filename: '', 'max-size': 300, 'max-days': 0, 'max-backups': 0 },
    development: false,
    'disable-caller': false,
    'disable-stacktrace': false,
    'disable-error-verbose': true,
    sampling: null,
    'error-output-path': '',
  };
}

function duration(ms: number): string {
  return goDuration(BigInt(ms) * 1_000_000n);
}
