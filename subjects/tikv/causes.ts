import type { Target } from '../../src/domain/ids.js';
import type { CauseClass, Judged } from '../protocol.js';
import { allOf } from './causes/judged.js';
import {
  heardSinceStart,
  leaderKnowsStores,
  majorityRuns,
  memberInQuorum,
  pdCallsUp,
  pdServes,
  portAnswers,
  witnessRuns,
} from './causes/signs.js';
import {
  clientPortOpen,
  hasSpace,
  networkCalm,
  noForeignScheduler,
  schedulesFreely,
  servesFast,
  slowScoreCalm,
} from './causes/trend-signs.js';
import type { TikvPicture } from './picture.js';

type Picture = TikvPicture;

/** The names of {@link CAUSES}; closed. */
export type CauseName =
  | 'process-dead'
  | 'process-frozen'
  | 'crash-loop'
  | 'link-loss'
  | 'stopped-by-request'
  | 'pd-stale'
  | 'pd-quorum-lost'
  | 'pd-member-dead'
  | 'peer-link-loss'
  | 'link-slow'
  | 'cpu-starved'
  | 'disk-slow'
  | 'disk-full'
  | 'grpc-paused'
  | 'store-offline'
  | 'foreign-scheduler'
  | 'scheduling-stopped';

const processDead: CauseClass<Picture> = {
  class: 'process-dead',
  title: 'the process of a store ended without being asked to',
  isGone: storeServesAgain,
};

const processFrozen: CauseClass<Picture> = {
  class: 'process-frozen',
  title: 'the process is there but does not run',
  isGone: (picture, target) =>
    isMember(picture, target) ? memberServes(picture, target) : storeServes(picture, target),
};

const crashLoop: CauseClass<Picture> = {
  class: 'crash-loop',
  title: 'a process ends by itself soon after each start',
  isGone: (picture, target) =>
    isMember(picture, target) ? memberServes(picture, target) : storeServesAgain(picture, target),
};

const linkLoss: CauseClass<Picture> = {
  class: 'link-loss',
  title: 'a store runs but is cut off from PD or from other stores',
  isGone: storeServes,
};

const stoppedByRequest: CauseClass<Picture> = {
  class: 'stopped-by-request',
  title: 'somebody stopped the store on purpose',
  isGone: storeServesAgain,
};

const pdStale: CauseClass<Picture> = {
  class: 'pd-stale',
  title: 'a new PD leader does not know the stores yet',
  isGone: (picture) =>
    allOf(
      pdServes(picture),
      leaderKnowsStores(picture),
      ...picture.vitals.stores.map(({ name }) => pdCallsUp(picture, name)),
      ...picture.vitals.pd.map(({ name }) => witnessRuns(picture, name)),
    ),
};

const pdQuorumLost: CauseClass<Picture> = {
  class: 'pd-quorum-lost',
  title: 'a majority of PD is gone',
  isGone: (picture) => allOf(pdServes(picture), majorityRuns(picture)),
};

const pdMemberDead: CauseClass<Picture> = {
  class: 'pd-member-dead',
  title: 'one PD process ended without being asked to',
  isGone: memberServes,
};

const peerLinkLoss: CauseClass<Picture> = {
  class: 'peer-link-loss',
  title: 'one link between two stores is cut, in one direction or both',
  isGone: (picture, store) => allOf(storeServes(picture, store), networkCalm(picture, store)),
};

const linkSlow: CauseClass<Picture> = {
  class: 'link-slow',
  title: 'all links of a store are slow, lossy or narrow, but not cut',
  isGone: (picture, store) =>
    allOf(storeServes(picture, store), networkCalm(picture, store), servesFast(picture, store)),
};

const cpuStarved: CauseClass<Picture> = {
  class: 'cpu-starved',
  title: 'the process of a store gets too little processor time',
  isGone: storeKeepsPace,
};

const diskSlow: CauseClass<Picture> = {
  class: 'disk-slow',
  title: 'the disk of a store is slow',
  isGone: storeKeepsPace,
};

const diskFull: CauseClass<Picture> = {
  class: 'disk-full',
  title: 'the disk of a store is nearly full',
  isGone: (picture, store) => allOf(storeServes(picture, store), hasSpace(picture, store)),
};

const grpcPaused: CauseClass<Picture> = {
  class: 'grpc-paused',
  title: 'a store runs and heartbeats, but takes no connections of clients and peers',
  isGone: (picture, store) => allOf(storeServes(picture, store), clientPortOpen(picture, store)),
};

const storeOffline: CauseClass<Picture> = {
  class: 'store-offline',
  title: 'somebody removes a store from the cluster, or has removed it',
  isGone: storeServes,
};

const foreignScheduler: CauseClass<Picture> = {
  class: 'foreign-scheduler',
  title: 'a scheduler that somebody added moves leaders or replicas',
  isGone: (picture) => allOf(pdServes(picture), majorityRuns(picture), noForeignScheduler(picture)),
};

const schedulingStopped: CauseClass<Picture> = {
  class: 'scheduling-stopped',
  title: 'PD is told not to schedule: a paused scheduler, a limit of 0, a halt',
  isGone: (picture) => allOf(pdServes(picture), majorityRuns(picture), schedulesFreely(picture)),
};

/** The closed list. Each is gone only when our own client and the witness on the host both say so. */
export const CAUSES: readonly CauseClass<Picture>[] = [
  processDead,
  processFrozen,
  crashLoop,
  linkLoss,
  stoppedByRequest,
  pdStale,
  pdQuorumLost,
  pdMemberDead,
  peerLinkLoss,
  linkSlow,
  cpuStarved,
  diskSlow,
  diskFull,
  grpcPaused,
  storeOffline,
  foreignScheduler,
  schedulingStopped,
];

/**
 * What shows elsewhere as slowness, uneven leaders or missing copies, so that healthy stores look too few or too busy. A
 * store that was stopped by request and a PD without quorum are told by the same looks.
 */
export const UPSTREAM: readonly CauseName[] = ['process-dead', 'process-frozen', 'link-loss', 'pd-stale'];

function storeServes(picture: Picture, store: Target): Judged {
  return allOf(witnessRuns(picture, store), portAnswers(picture, store), pdCallsUp(picture, store));
}

function storeKeepsPace(picture: Picture, store: Target): Judged {
  return allOf(storeServes(picture, store), slowScoreCalm(picture, store), servesFast(picture, store));
}

/** PD goes on calling a dead store Up for a while, so the heartbeat has to come from the process that runs now. */
function storeServesAgain(picture: Picture, store: Target): Judged {
  return allOf(storeServes(picture, store), heardSinceStart(picture, store));
}

function memberServes(picture: Picture, member: Target): Judged {
  return allOf(witnessRuns(picture, member), portAnswers(picture, member), memberInQuorum(picture, member));
}

const isMember = ({ vitals }: Picture, target: Target): boolean => vitals.pd.some(({ name }) => name === target);
