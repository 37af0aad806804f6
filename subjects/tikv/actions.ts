import type { Action } from '../protocol.js';
import { cancelRemoval } from './actions/cancel-removal.js';
import { restoreAddPeerLimit, restoreLimit, restoreRemovePeerLimit } from './actions/limits.js';
import { resumeProcess } from './actions/resume-process.js';
import { removeScheduler, resumeScheduler } from './actions/schedulers.js';
import { startPdMember, startStore } from './actions/start-node.js';
import { restoreLeaderWeight } from './actions/weights.js';
import type { TikvPicture } from './picture.js';

/** What Medic may do to a TiKV cluster. */
export const ACTIONS: readonly Action<TikvPicture>[] = [
  startStore,
  resumeProcess,
  startPdMember,
  cancelRemoval,
  removeScheduler,
  resumeScheduler,
  restoreLimit,
  restoreAddPeerLimit,
  restoreRemovePeerLimit,
  restoreLeaderWeight,
];
