import { REPLICATION_DEFAULTS, SCHEDULE_DEFAULTS, SERVER_DEFAULTS } from '../config-defaults.js';
import { goDuration } from '../go-format.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** Peers per minute that may be added to or removed from a store (PD: `store-limit`). */
const STORE_LIMIT = { 'add-peer': 15, 'remove-peer': 15 };

/** The sections of `GET /config` that only the leader knows. */
export interface LeaderSections {
  readonly schedule: unknown;
  readonly replication: unknown;
}

/** `GET /config` of the leader. */
export function config(view: PdView): Answer {
  return json(
    configOf(view, { schedule: scheduleOf(view), replication: REPLICATION_DEFAULTS }, view.state.clusterVersion),
  );
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
export function replicationConfig(): Answer {
  return json(REPLICATION_DEFAULTS);
}

/** Settings of the schedule section, with an entry in `store-limit` for each store. */
export function scheduleOf(view: PdView): object {
  const storeLimit = Object.fromEntries(Object.keys(view.state.stores).map((id) => [id, STORE_LIMIT]));
  return { ...SCHEDULE_DEFAULTS, 'max-store-down-time': duration(view.times.storeDownMs), 'store-limit': storeLimit };
}

function configOf(view: PdView, sections: LeaderSections, clusterVersion: string): object {
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
    log: logSettings(),
    metric: { job: self.name, address: '', interval: '15s' },
    schedule: sections.schedule,
    replication: sections.replication,
    'cluster-version': clusterVersion,
    'tick-interval': duration(times.pdTickMs),
    'election-interval': duration(times.pdElectionMs),
    ...SERVER_DEFAULTS,
  };
}

/** No file: members of the lab log to their standard output, as PD does without `--log-file`. */
function logSettings(): object {
  return {
    level: 'info',
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
