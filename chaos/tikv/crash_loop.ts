import { killedNodes } from './killed-nodes.js';
import { storeToHit } from './process-fault.js';

/** As an option with a typing error, which nobody notices until the process is started the next time. */
export const crashLoop = killedNodes({
  name: 'crash_loop',
  describe:
    'A wrong option gets into the configuration of a store, whose process is killed: it ends at once at every start.',
  targets: 'store',
  rightEnd: { kind: 'escalated', cause: 'crash-loop' },
  role: 'store',
  choose: async (lab, wish) => [await storeToHit(lab, wish)],
  badOption: '--block-cache-sise=1GiB',
});
