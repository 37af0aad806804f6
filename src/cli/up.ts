import type { ProfileName } from '../../subjects/tikv/profiles.js';
import { bringUp, type Running } from '../runtime/bring-up.js';
import { installSignalHandlers } from '../runtime/process/signals.js';
import { tellChildEvent } from './child-events.js';
import type { Screen } from './screen.js';

export interface UpOptions {
  readonly home: string;
  readonly profile: ProfileName;
  readonly stores: number;
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly metricsPort?: number;
}

/** `medic up`: Temporal, the lab of this home and a worker, until Ctrl-C. Tickets and data of earlier runs go on. */
export async function up(options: UpOptions, screen: Screen): Promise<number> {
  let running: Running | null = null;
  installSignalHandlers({
    onSignal: async () => {
      screen.err('ending everything');
      await running?.stop();
    },
  });
  running = await bringUp({
    home: options.home,
    stage: 'kept',
    profile: options.profile,
    stores: options.stores,
    reasoner: { kind: 'rules' },
    ports: { temporal: options.temporalPort, ui: options.uiPort, metrics: options.metricsPort },
    report: (event) => screen.err(tellChildEvent(event)),
  });
  screen.out(
    `up       temporal ${running.address} (ui ${running.uiUrl}) · lab (stand-in) · metrics ${running.metricsUrl}`,
  );
  screen.out('next     ./medic tickets · ./medic chaos inject node_kill · Ctrl-C ends everything');
  return new Promise<never>(() => {});
}
