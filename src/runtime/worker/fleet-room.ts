import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Room } from '../../../activities/room.js';
import type { HttpAnswer } from '../../../subjects/protocol.js';
import { hostless } from '../../../subjects/tikv/hostless.js';
import { nodeAt } from '../../../subjects/tikv/inventory.js';
import { discover, unseenInventory } from '../../../subjects/tikv/observe/discover.js';
import { createTikvEyes } from '../../../subjects/tikv/observe/eyes.js';
import { createFleetEyes, type Found } from '../../../subjects/tikv/observe/fleet-eyes.js';
import { gentlenessOf } from '../../../subjects/tikv/observe/gently.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import type { FleetSubject } from '../../config/subject.js';
import { NOT_AVAILABLE } from '../../domain/evidence.js';
import { instant } from '../../domain/ids.js';
import type { HttpCall } from '../../domain/query.js';
import { gap } from '../../domain/reading.js';
import { writeAtomically } from '../../evidence/write-atomically.js';
import type { Reasoner } from '../../reasoner/reasoner.js';
import { keepAccess } from './access.js';
import type { WorkerSettings } from './settings.js';
import { endpointsOf, timesOf } from './tikv-room.js';

/** A cluster of medic.yaml as a subject. */
export interface FleetRoom {
  readonly room: Room<TikvPicture>;
  close(): Promise<void>;
}

export interface FleetRoomDeps {
  readonly reasoner: Reasoner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (why: string) => void;
  readonly now: () => number;
}

/** Between two discoveries of who is there. */
const DISCOVER_MS = 60_000;

/** What is known of a cluster of medic.yaml before it is asked anything. */
export const fleetTikv = ({ name }: Pick<FleetSubject, 'name'>) => hostless(TIKV, name);

/** Why shell commands cannot be run, for the evidence. */
const noHosts = ({ name }: FleetSubject): string => `${NOT_AVAILABLE}Medic has no access to the hosts of ${name}`;

/**
 * A room for a cluster that Medic did not make: known from its PD, looked at gently, without its hosts and without a
 * client of its own. Who is there is remembered in the home, so that a PD that is down at the start hides nobody.
 */
export async function createFleetRoom(
  subject: FleetSubject,
  settings: Pick<WorkerSettings, 'home' | 'profile' | 'waits'>,
  { reasoner, env, warn, now }: FleetRoomDeps,
): Promise<FleetRoom> {
  const profile = PROFILES[settings.profile];
  const { endpoints } = subject.pd;
  const file = join(settings.home, 'subjects', `${subject.name}.json`);
  const access = keepAccess({ pd: subject.pd, env, warn, clock: now });
  await access.refresh();
  const failure = noHosts(subject);
  const probe = {
    reading: () =>
      gap(`${NOT_AVAILABLE}nothing is written to ${subject.name}`, { at: instant(now()), source: 'probe' }),
  };
  const eyes = createFleetEyes({
    first: (await keptIn(file)) ?? { clusterId: null, inventory: unseenInventory(endpoints) },
    discover: () =>
      discover({
        endpoints,
        access: access.current,
        requestMs: profile.watch.requestMs,
        clock: now,
        hostNames: new Map(subject.hosts.map(({ name, address }) => [address, name])),
      }),
    openEyes: (inventory) =>
      createTikvEyes({
        inventory,
        profile,
        runOnHost: async () => ({ exitCode: null, stdout: '', stderr: '', failure }),
        probe,
        clock: now,
        access: access.current,
        gently: gentlenessOf(profile, { members: inventory.pd.length, endpoints }),
      }),
    onFound: (found) => writeAtomically(file, `${JSON.stringify(found, null, 2)}\n`),
    warn,
    clock: now,
    everyMs: DISCOVER_MS,
  });
  const room: Room<TikvPicture> = {
    subject: fleetTikv(subject),
    eyes: {
      ...eyes,
      async observe(tier, signal) {
        await access.refresh();
        return eyes.observe(tier, signal);
      },
      http: (call, signal) => (isHeavy(call) ? Promise.resolve(TOO_HEAVY) : eyes.http(call, signal)),
    },
    hosts: new Map(),
    hostless: failure,
    get endpoints() {
      return endpointsOf(eyes.inventory());
    },
    nodeAt: (address) => nodeAt(eyes.inventory(), address),
    reasoner,
    sampling: profile.watch,
    times: timesOf(profile.watch, settings.waits),
  };
  return { room, close: () => eyes.close() };
}

/** All regions of a large cluster are as much as it holds; a picture asks for them only where they are few. */
const isHeavy = ({ api, path }: HttpCall): boolean => api === 'pd' && /^\/pd\/api\/v1\/regions\/?(\?|$)/.test(path);

const TOO_HEAVY: HttpAnswer = {
  status: null,
  body: '',
  failure: `${NOT_AVAILABLE}all regions at once are too heavy a question; the picture tells who holds what`,
  sent: false,
  node: null,
};

async function keptIn(file: string): Promise<Found | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Found;
  } catch {
    return null;
  }
}
