import { orderFault } from './order-fault.js';
import { readPd } from './pd-api.js';

const SCHEDULER = 'balance-leader-scheduler';
const PAUSE_SECONDS = 3_600;

/** As an import pauses schedulers and forgets to resume them. PD keeps a pause in its leader's memory only. */
export const schedulerPaused = orderFault({
  name: 'scheduler_paused',
  describe: 'PD is told to pause balance-leader for an hour, and nobody resumes it.',
  targets: 'pd',
  rightEnd: { kind: 'repaired' },
  confirmWithinMs: 3_000,
  plan: async () => ({
    target: SCHEDULER,
    orders: [{ method: 'POST', path: `/schedulers/${SCHEDULER}`, body: { delay: PAUSE_SECONDS } }],
    undo: [{ method: 'POST', path: `/schedulers/${SCHEDULER}`, body: { delay: 0 } }],
    storeId: null,
  }),
  look: async (topology) => {
    const paused = await readPd<readonly string[] | null>(topology, '/schedulers?status=paused');
    const stands = paused?.includes(SCHEDULER) ?? false;
    return { stands, hasEffect: stands, words: `PD has paused ${paused?.join(', ') || 'nothing'}` };
  },
});
