import type { ProfileName } from '../../subjects/tikv/profiles.js';
import { loadMedic } from '../config/medic.js';
import { seconds } from '../domain/story.js';
import { bringUp, type Running } from '../runtime/bring-up.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { tellChildEvent } from './child-events.js';
import { checkedConfig } from './config-file.js';
import { sayHeading, sayOn } from './demo-lines.js';
import { endOnSignals } from './end-on-signals.js';
import { careFor } from './fleet.js';
import { checkReasoner, reasonerWords } from './reasoner.js';
import type { Screen } from './screen.js';

export interface UpOptions {
  readonly home: string;
  readonly profile: ProfileName;
  readonly stores: number;
  readonly reasoner: WorkerSettings['reasoner'];
  readonly config?: string;
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly metricsPort?: number;
}

/**
 * `medic up`: Temporal, the lab of this home and a worker, until Ctrl-C; with subjects in medic.yaml those instead of a lab.
 * Tickets and data of earlier runs go on.
 */
export async function up(options: UpOptions, screen: Screen): Promise<number> {
  const say = sayOn(screen);
  await checkReasoner(options.reasoner, process.env);
  const configFile = await checkedConfig(options.config);
  const { subjects, intake } = await loadMedic(configFile);
  if (subjects.length > 0) return careFor(subjects, { ...options, profile: 'real', configFile, intake }, screen);
  sayHeading({ ...options, reasoner: reasonerWords(options.reasoner, process.env) }, screen);
  const began = performance.now();
  let running: Running | null = null;
  endOnSignals(screen, () => running?.stop() ?? null);
  running = await bringUp({
    home: options.home,
    stage: 'kept',
    profile: options.profile,
    stores: options.stores,
    reasoner: options.reasoner,
    configFile,
    intake,
    ports: { temporal: options.temporalPort, ui: options.uiPort, metrics: options.metricsPort },
    report: (event) => say('process', tellChildEvent(event)),
  });
  say(
    'up',
    `temporal ${running.address} · ui ${running.uiUrl} · lab (stand-in) · metrics ${running.metricsUrl}`,
    seconds(performance.now() - began),
  );
  say('next', './medic tickets · ./medic chaos inject node_kill · Ctrl-C ends everything');
  return new Promise<never>(() => {});
}
