import { MedicError } from '../../src/domain/errors.js';
import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { Fault, TargetWish } from '../protocol.js';
import { pdLeader } from './leaders.js';
import {
  injectionOn,
  lookAtNode,
  lookUntil,
  type NodeProcessDetail,
  type Seen,
  seenWords,
  startAgain,
  supportsProcesses,
} from './node-process.js';

const CONFIRM_MS = 3_000;

/**
 * The process of the PD member that leads at this moment is ended with SIGKILL. Another member takes over; until the
 * stores' next heartbeats it remembers nothing of them. The killed one stays dead until somebody starts it.
 */
export const pdLeaderKill: Fault<NodeProcessDetail> = {
  name: 'pd_leader_kill',
  describe: 'The PD member that leads is killed with SIGKILL and stays dead until somebody starts it.',
  targets: 'pd-leader',
  supports: (lab) => supportsProcesses(lab, 'pd'),

  async inject({ lab, target, record }) {
    const leader = await pdLeader(lab.lab.topology());
    refuseAnother(target, leader);
    const node = await lab.lab.inspect(leader);
    const injection = injectionOn('pd_leader_kill', node, lab);
    record(injection);
    if (signalProcess(injection.detail.process, 'SIGKILL') === 'sent') return injection;
    throw new MedicError('MEDIC_CHAOS_TARGET', `${leader} ended by itself before it could be killed`);
  },

  async confirm(injection) {
    const isDead = (seen: Seen) => seen.process === 'dead' && seen.port === 'refused';
    const seen = await lookUntil(injection, isDead, CONFIRM_MS);
    return { confirmed: isDead(seen), seen: seenWords(injection, seen) };
  },

  async truth(injection) {
    const { process, port } = await lookAtNode(injection);
    if (process === 'unknown') return 'unknown';
    return process === 'replaced' && port === 'answers' ? 'gone' : 'present';
  },

  heal: startAgain,
};

/** Who leads is not for the injector to choose. */
function refuseAnother(wish: TargetWish, leader: string): void {
  if (wish.pick !== 'named' || wish.name === leader) return;
  throw new MedicError('MEDIC_CHAOS_TARGET', `${wish.name} does not lead PD, ${leader} does`, 'Leave the target out.');
}
