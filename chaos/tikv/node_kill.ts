import { startAgain } from './node-process.js';
import { processFault, storeToHit } from './process-fault.js';

/**
 * A store's process is ended with SIGKILL, directly and not by labctl, so it counts as died and nothing was asked for.
 * It stays dead until somebody starts it.
 */
export const nodeKill = processFault({
  name: 'node_kill',
  describe: "A store's process is killed with SIGKILL and stays dead until somebody starts it.",
  targets: 'store',
  rightEnd: { kind: 'repaired' },
  role: 'store',
  choose: storeToHit,
  signal: 'SIGKILL',
  done: 'killed',
  effect: { process: 'dead', port: 'refused' },
  confirmWithinMs: 3_000,
  overWhen: ['replaced'],
  heal: startAgain,
});
