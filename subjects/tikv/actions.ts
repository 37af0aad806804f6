import type { Action } from '../protocol.js';
import { resumeProcess } from './actions/resume-process.js';
import { startPdMember, startStore } from './actions/start-node.js';
import type { TikvPicture } from './picture.js';

/** What Medic may do to a TiKV cluster. */
export const ACTIONS: readonly Action<TikvPicture>[] = [startStore, resumeProcess, startPdMember];
