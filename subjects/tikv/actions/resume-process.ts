import type { Action } from '../../protocol.js';
import type { TikvPicture } from '../picture.js';
import { unpauseNode } from '../services.js';
import { processRuns, witnessed } from './witnessed.js';

/** Only for what the host itself shows stopped: a process that starves cannot be resumed. */
export const resumeProcess: Action<TikvPicture> = {
  name: 'resume-process',
  describe: (target) => `let the process of ${target} go on`,
  cures: ['process-frozen', 'pd-quorum-lost'],
  precondition: (picture, target) => witnessed(picture, target, ({ state }) => state === 'paused'),
  call: unpauseNode,
  inverse: () => ({ kind: 'none', why: 'restorative: it takes nothing away' }),
  isDone: processRuns,
  timeoutMs: 15_000,
};
