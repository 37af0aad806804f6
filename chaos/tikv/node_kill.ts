import { MedicError } from '../../src/domain/errors.js';
import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { Fault } from '../protocol.js';
import { leadersByStore } from './leaders.js';
import {
  injectionOn,
  lookAtNode,
  lookUntil,
  type NodeProcessDetail,
  seenWords,
  startAgain,
  supportsProcesses,
} from './node-process.js';
import { chooseStore } from './target.js';

const CONFIRM_MS = 3_000;

/**
 * A store's process is ended with SIGKILL, directly and not by labctl, so it counts as died and nothing was asked for.
 * It stays dead until somebody starts it.
 */
export const nodeKill: Fault<NodeProcessDetail> = {
  name: 'node_kill',
  describe: "A store's process is killed with SIGKILL and stays dead until somebody starts it.",
  targets: 'store',
  supports: (lab) => supportsProcesses(lab, 'store'),

  async inject({ lab, target, record }) {
    const store = await chooseStore({
      wish: target,
      nodes: await lab.lab.ps(),
      leaders: () => leadersByStore(lab.lab.topology()),
    });
    const injection = injectionOn('node_kill', store, lab);
    record(injection);
    if (signalProcess(injection.detail.process, 'SIGKILL') === 'sent') return injection;
    throw new MedicError('MEDIC_CHAOS_TARGET', `${store.name} ended by itself before it could be killed`);
  },

  async confirm(injection) {
    const isDead = (seen: Awaited<ReturnType<typeof lookAtNode>>) => seen.process === 'dead' && seen.port === 'refused';
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
