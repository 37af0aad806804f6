import type { ClusterTimes } from '../../profiles.js';
import type { Group } from './group.js';
import type { Member } from './members.js';
import { Pauses } from './pauses.js';
import { processView, wallNs } from './process-view.js';
import type { RaftWatch } from './raft-watch.js';
import type { RegionCache } from './regions.js';
import type { Reign } from './reign.js';
import { NO_SCHEDULE } from './schedule/schedule-view.js';
import { StoreHeartbeats } from './stores.js';
import type { PdView } from './view.js';

/** The parts of a member that can be looked at. */
export interface ViewSources {
  readonly self: Member;
  readonly members: readonly Member[];
  readonly times: ClusterTimes;
  readonly dataDir: string;
  readonly group: Group;
  readonly watch: RaftWatch;
  readonly reign: Reign;
  readonly regions: RegionCache;
  /** Members that answer right now, as far as that was asked. */
  readonly reachable: ReadonlySet<string>;
}

const NO_HEARTBEATS = new StoreHeartbeats();
const NO_PAUSES = new Pauses();

/** What a member knows at this moment; what only a leader knows is empty while it does not serve. */
export function viewOf({ group, watch, reign, ...known }: ViewSources): PdView {
  const { self, members, times, dataDir, regions, reachable } = known;
  const byName = (name: string | null) => members.find((member) => member.name === name) ?? null;
  const { raft, state } = group;
  const { tenure } = reign;
  return {
    nowNs: wallNs(),
    times,
    self,
    members,
    raft: {
      isLeader: raft.role === 'leader',
      leader: byName(raft.leader),
      term: raft.term,
      commitIndex: raft.commitIndex,
      appliedIndex: raft.appliedIndex,
      leaderChanges: watch.leaderChanges,
    },
    leader: byName(reign.leader()),
    isLeader: reign.serves(),
    state,
    knownClusterVersion: reign.knownClusterVersion,
    heartbeats: tenure?.heartbeats ?? NO_HEARTBEATS,
    regions,
    pauses: tenure?.pauses ?? NO_PAUSES,
    schedule: tenure?.scheduling ?? NO_SCHEDULE,
    tsoMs: tenure?.timestamps.lastMs ?? 0,
    regionHeartbeats: tenure?.regionHeartbeats ?? new Map(),
    process: processView(dataDir),
    reachable,
  };
}
