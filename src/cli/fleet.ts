import { discover } from '../../subjects/tikv/observe/discover.js';
import { PROFILES, type ProfileName } from '../../subjects/tikv/profiles.js';
import type { FleetSubject } from '../config/subject.js';
import { MedicError } from '../domain/errors.js';
import { counted, seconds } from '../domain/story.js';
import { bringUpFleet, type FleetOptions, type RunningFleet } from '../runtime/bring-up-fleet.js';
import { temporalOf } from '../runtime/temporal-env.js';
import { readAccess } from '../runtime/worker/access.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { tellChildEvent } from './child-events.js';
import { sayHeading, sayOn } from './demo-lines.js';
import { endOnSignals } from './end-on-signals.js';
import { reasonerWords } from './reasoner.js';
import type { Screen } from './screen.js';
import { typedCommand } from './typed-command.js';

export interface FleetUpOptions {
  readonly home: string;
  readonly profile: ProfileName;
  readonly reasoner: WorkerSettings['reasoner'];
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly metricsPort?: number;
}

/** Cares for clusters that Medic did not make, until Ctrl-C. What PD says of each is shown first. */
export async function careFor(
  subjects: readonly FleetSubject[],
  { configFile, intake, ...options }: FleetUpOptions & Pick<FleetOptions, 'configFile' | 'intake'>,
  screen: Screen,
): Promise<never> {
  const say = sayOn(screen);
  sayHeading({ ...options, reasoner: reasonerWords(options.reasoner, process.env) }, screen);
  for (const subject of subjects) say(subject.name, await clusterWords(subject, options.profile));
  const began = performance.now();
  let running: RunningFleet | null = null;
  endOnSignals(screen, () => running?.stop() ?? null);
  running = await bringUpFleet({
    ...options,
    configFile,
    intake,
    subjects,
    temporal: temporalOf(process.env),
    ports: { temporal: options.temporalPort, ui: options.uiPort, metrics: options.metricsPort },
    report: (event) => say('process', tellChildEvent(event)),
  });
  const ui = running.uiUrl === null ? '' : ` · ui ${running.uiUrl}`;
  say('up', `temporal ${running.address}${ui} · metrics ${running.metricsUrl}`, seconds(performance.now() - began));
  say('next', `${typedCommand('tickets', options.home)} · Ctrl-C ends what was started here; tickets are kept`);
  return new Promise<never>(() => {});
}

/** A cluster that cannot be read is said and watched all the same: that is what Medic is for. */
async function clusterWords(subject: FleetSubject, profile: ProfileName): Promise<string> {
  const found = await lookAtCluster(subject, profile);
  const how = `autonomy ${subject.autonomy}${subject.autonomy === 'observe' ? ': proposals only, nothing runs' : ''}`;
  if (!found.known) return `PD cannot be read yet (${found.reason}) · ${how}`;
  const { clusterId, inventory, versions } = found.value;
  const sizes = `${counted(inventory.pd.length, 'PD member')}, ${counted(inventory.stores.length, 'store')}`;
  return `cluster ${clusterId}, ${[...versions.pd].join(' and ')}, ${sizes} · ${how}`;
}

/** One look at who is there. Throws `MEDIC_SECRET_MISSING`. */
export async function lookAtCluster({ pd, hosts }: FleetSubject, profile: ProfileName = 'real') {
  const access = await readAccess(pd, process.env);
  return discover({
    endpoints: pd.endpoints,
    access: () => access,
    requestMs: PROFILES[profile].watch.requestMs,
    clock: Date.now,
    hostNames: new Map(hosts.map(({ name, address }) => [address, name])),
  });
}

/** As {@link lookAtCluster}, for verbs that are about just this cluster. Throws `MEDIC_PD_UNREADABLE`. */
export async function needCluster(subject: FleetSubject, profile?: ProfileName) {
  const found = await lookAtCluster(subject, profile);
  if (found.known) return found.value;
  throw new MedicError('MEDIC_PD_UNREADABLE', found.reason);
}
