import type { Invariant } from '../../protocol.js';
import type { TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** What a client gets: the measure that no opinion of PD can replace. */
export const probeOk: Invariant<TikvPicture> = {
  name: 'probe-ok',
  title: 'a key of each region can be written and read',
  use: 'files',
  check: (picture) => checkOf('probe-ok', null, probeFinding(picture)),
};

/** Shown only: on a loaded machine latency says little about the cluster. */
export const probeFast: Invariant<TikvPicture> = {
  name: 'probe-fast',
  title: 'the probe is served quickly',
  use: 'evidence',
  check: (picture) => checkOf('probe-fast', null, speedFinding(picture)),
};

function probeFinding({ vitals: { probe } }: TikvPicture): Finding {
  if (!probe.known) return UNKNOWN;
  const { regionsOk, regionsFailed, errors } = probe.value;
  if (regionsFailed === 0) return HOLDS;
  const kinds = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`);
  return broken(
    'high',
    `the probe fails on ${regionsFailed} of ${regionsOk + regionsFailed} regions (${kinds.join(', ')})`,
  );
}

function speedFinding({ profile, vitals: { probe } }: TikvPicture): Finding {
  if (!probe.known || probe.value.p99Ms === null) return UNKNOWN;
  const { p99Ms } = probe.value;
  if (p99Ms <= PROFILES[profile].remark.probeP99Ms) return HOLDS;
  return broken('info', `the slowest region took ${p99Ms} ms to write and read a key`);
}
