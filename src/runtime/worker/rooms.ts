import type { Room } from '../../../activities/room.js';
import { connectLab } from '../../../subjects/tikv/lab/labd/client.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { createFleetRoom, type FleetRoomDeps, fleetTikv } from './fleet-room.js';
import { chooseReasoner, type ReasonerDeps } from './reasoner.js';
import type { WorkerSettings } from './settings.js';
import { createTikvRoom } from './tikv-room.js';

/** The rooms of a worker, by the name of their subject. */
export interface OpenRooms {
  readonly rooms: ReadonlyMap<string, Room<TikvPicture>>;
  close(): Promise<void>;
}

type Deps = Omit<ReasonerDeps, 'subject' | 'hosts'> & Omit<FleetRoomDeps, 'reasoner'>;

/** A room for the lab, if there is one, and for each cluster of the settings. Throws as `chooseReasoner` does. */
export async function openRooms(settings: WorkerSettings, deps: Deps): Promise<OpenRooms> {
  const fleet = await Promise.all(
    settings.subjects.map(async (subject) => {
      const reasoner = await chooseReasoner(settings.reasoner, { ...deps, subject: fleetTikv(subject), hosts: [] });
      return createFleetRoom(subject, settings, { ...deps, reasoner });
    }),
  );
  const opened = [...(await labRoom(settings, deps)), ...fleet];
  return {
    rooms: new Map(opened.map(({ room }) => [room.subject.name, room])),
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}

async function labRoom({ labDir, ...settings }: WorkerSettings, deps: Deps) {
  if (labDir === null) return [];
  const hosts = [connectLab(labDir).topology().host];
  const reasoner = await chooseReasoner(settings.reasoner, { ...deps, subject: TIKV, hosts });
  return [createTikvRoom({ ...settings, labDir }, { ...deps, reasoner })];
}
