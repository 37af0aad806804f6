import { delimiter, join } from 'node:path';
import type { Room } from '../../../activities/room.js';
import { nodeAt, type TikvInventory } from '../../../subjects/tikv/inventory.js';
import { connectLab } from '../../../subjects/tikv/lab/labd/client.js';
import { createStoreClient } from '../../../subjects/tikv/lab/store/client.js';
import { regionKey } from '../../../subjects/tikv/lab/store/layout.js';
import { createTikvEyes } from '../../../subjects/tikv/observe/eyes.js';
import { startServiceProbe } from '../../../subjects/tikv/observe/probe.js';
import type { RunOnHost } from '../../../subjects/tikv/observe/witness.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { PROFILES, type WatchTimes } from '../../../subjects/tikv/profiles.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import type { TicketTimes } from '../../../workflows/contract.js';
import { collect, whyNoExit } from '../../host/collect.js';
import type { Host } from '../../host/host.js';
import { createLocalHost } from '../../host/local.js';
import type { Reasoner } from '../../reasoner/reasoner.js';
import type { WorkerSettings } from './settings.js';

/** The lab as a subject, with its probe running. `close` ends the probe and its connections. */
export interface TikvRoom {
  readonly room: Room<TikvPicture>;
  close(): Promise<void>;
}

/** Regions of the lab's seed layout: the probe has one key in each. */
const REGIONS = 24;
const PROBE_ATTEMPT_MS = 500;

export function createTikvRoom(
  settings: Pick<WorkerSettings, 'profile' | 'waits'> & { readonly labDir: string },
  { reasoner, now }: { reasoner: Reasoner; now: () => number },
): TikvRoom {
  const profile = PROFILES[settings.profile];
  const { pd, stores, host } = connectLab(settings.labDir).topology();
  const inventory: TikvInventory = { subject: 'tikv', host, pd, stores };
  const local = createLocalHost({
    name: host,
    path: [join(settings.labDir, 'bin'), '/usr/bin', '/bin'].join(delimiter),
  });
  const client = createStoreClient({
    pd: pd.map((member) => member.clientUrl),
    attemptMs: PROBE_ATTEMPT_MS,
    giveUpMs: profile.watch.sampleMs,
  });
  const probe = startServiceProbe({
    client,
    keys: Array.from({ length: REGIONS }, (_, i) => regionKey(i, '-medic-probe')),
    roundMs: profile.watch.sampleMs,
    inFlight: REGIONS,
    clock: now,
    storeAt: (address) => stores.find((store) => store.address === address)?.name ?? null,
  });
  const eyes = createTikvEyes({ inventory, profile, runOnHost: readOn(local), probe, clock: now });
  const room: Room<TikvPicture> = {
    subject: TIKV,
    eyes,
    hosts: new Map([[host, local]]),
    endpoints: endpointsOf(inventory),
    nodeAt: (address) => nodeAt(inventory, address),
    reasoner,
    sampling: profile.watch,
    times: timesOf(profile.watch, settings.waits),
  };
  return {
    room,
    close: async () => {
      await probe.close();
      client.close();
      await eyes.close();
    },
  };
}

/** The host's own word on its nodes is small; half a megabyte is far more than it can be. */
const MAX_WITNESS_BYTES = 512 * 1024;

const readOn =
  (host: Host): RunOnHost =>
  async (command, { timeoutMs, signal }) => {
    const { outcome, output } = await collect(host, { command, timeoutMs, maxBytes: MAX_WITNESS_BYTES }, signal);
    const failure = whyNoExit(outcome);
    return { exitCode: outcome.exitCode, stdout: output, stderr: '', ...(failure === null ? {} : { failure }) };
  };

export const endpointsOf = ({ pd, stores }: TikvInventory): Record<string, string> =>
  Object.fromEntries([
    ...pd.map((member) => [new URL(member.clientUrl).host, 'pd']),
    ...stores.map((store) => [store.statusAddress, 'tikv-status']),
  ]);

export const timesOf = (watch: WatchTimes, waits: WorkerSettings['waits']): TicketTimes => ({
  proof: {
    samples: watch.proofSamples,
    windowMs: watch.proofWindowMs,
    sampleMs: watch.sampleMs,
    deadlineMs: watch.proofDeadlineMs,
  },
  stabilityMs: watch.stabilityMs,
  ...waits,
});
