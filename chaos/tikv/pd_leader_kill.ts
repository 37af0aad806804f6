import { MedicError } from '../../src/domain/errors.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import type { ChaosLab, TargetWish } from '../protocol.js';
import { pdLeader } from './leaders.js';
import { startAgain } from './node-process.js';
import { processFault } from './process-fault.js';

/**
 * The process of the PD member that leads at this moment is ended with SIGKILL. Another member takes over; until the
 * stores' next heartbeats it remembers nothing of them. The killed one stays dead until somebody starts it.
 */
export const pdLeaderKill = processFault({
  name: 'pd_leader_kill',
  describe: 'The PD member that leads is killed with SIGKILL and stays dead until somebody starts it.',
  targets: 'pd-leader',
  rightEnd: { kind: 'repaired' },
  role: 'pd',
  choose: leaderToHit,
  signal: 'SIGKILL',
  done: 'killed',
  effect: { process: 'dead', port: 'refused' },
  confirmWithinMs: 3_000,
  overWhen: ['replaced'],
  heal: startAgain,
});

/** Who leads is not for the injector to choose. */
async function leaderToHit({ lab }: ChaosLab, wish: TargetWish): Promise<NodeReport> {
  const leader = await pdLeader(lab.topology());
  if (wish.pick !== 'named' || wish.name === leader) return lab.inspect(leader);
  throw new MedicError('MEDIC_CHAOS_TARGET', `${wish.name} does not lead PD, ${leader} does`, 'Leave the target out.');
}
