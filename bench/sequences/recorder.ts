import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import type { Load } from '../../subjects/tikv/lab/store/load.js';
import { PROFILES } from '../../subjects/tikv/profiles.js';
import { clientWatch } from './client-look.js';
import { lookAtPd } from './pd-look.js';
import type { Row } from './rows.js';
import { lookAtStores } from './store-look.js';

/** One second of the profile `real`. */
const ROW_MS = 1_000;
/** The recorder of the real cluster waited so long for `/status`. */
const STATUS_LIMIT_MS = 900;
/** PD is given more time, as its silence is no event: a busy machine must not look like one. */
const PD_LIMIT_MS = 2_500;

/** Looks at a lab once per second of the profile `real`, from outside, until it is told to stop. */
export interface Recorder {
  /** The rows so far; `s` counts from `zero`, in epoch ms. */
  rows(zero: number): Row[];
  stop(): Promise<void>;
}

interface TimedLook {
  readonly at: number;
  readonly parts: Omit<Row, 's'>;
}

/** How many times faster than `real` the cluster of this lab is. */
export function scaleOf(lab: Lab): number {
  const { profile } = lab.topology();
  return PROFILES.real.cluster.storeHeartbeatMs / PROFILES[profile].cluster.storeHeartbeatMs;
}

/** Starts at once. */
export function startRecorder({ lab, load }: { readonly lab: Lab; readonly load: Load }): Recorder {
  const scale = scaleOf(lab);
  const members = lab.topology().pd.map(({ clientUrl }) => clientUrl);
  const askClients = clientWatch(load);
  const looks: TimedLook[] = [];
  let stopped = false;

  async function look(): Promise<void> {
    const [pd, stores] = await Promise.all([
      lookAtPd({ members, limitMs: PD_LIMIT_MS / scale, scale }),
      lookAtStores(lab, STATUS_LIMIT_MS / scale),
    ]);
    // What came in last was true until now, so no row shows a fault before its time.
    looks.push({ at: Date.now(), parts: { ...pd, ...stores, ...askClients() } });
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const began = performance.now();
      await look();
      await sleep(Math.max(0, ROW_MS / scale - (performance.now() - began)));
    }
  }

  const ran = run();
  ran.catch(() => undefined);
  return {
    rows: (zero) => looks.map(({ at, parts }) => ({ s: Math.round(((at - zero) / 100) * scale) / 10, ...parts })),
    async stop() {
      stopped = true;
      await ran;
    },
  };
}
