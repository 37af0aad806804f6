import { MedicError } from '../../src/domain/errors.js';
import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { Fault } from '../protocol.js';
import { leadersByStore } from './leaders.js';
import {
  cannotHeal,
  injectionOn,
  lookAtNode,
  lookUntil,
  type NodeProcessDetail,
  type Seen,
  seenWords,
  supportsProcesses,
} from './node-process.js';
import { chooseStore } from './target.js';

const CONFIRM_MS = 5_000;

/**
 * A store's process is frozen with SIGSTOP. Its ports go on taking connections, because the kernel does that, and nothing
 * answers; its peers and PD miss it, while the host still lists the process. It stays so until somebody continues or
 * replaces it.
 */
export const processPause: Fault<NodeProcessDetail> = {
  name: 'process_pause',
  describe: "A store's process is frozen with SIGSTOP until somebody continues or replaces it.",
  targets: 'store',
  supports: (lab) => supportsProcesses(lab, 'store'),

  async inject({ lab, target, record }) {
    const store = await chooseStore({
      wish: target,
      nodes: await lab.lab.ps(),
      leaders: () => leadersByStore(lab.lab.topology()),
    });
    const injection = injectionOn('process_pause', store, lab);
    record(injection);
    if (signalProcess(injection.detail.process, 'SIGSTOP') === 'sent') return injection;
    throw new MedicError('MEDIC_CHAOS_TARGET', `${store.name} ended by itself before it could be frozen`);
  },

  async confirm(injection) {
    const isFrozen = (seen: Seen) => seen.process === 'stopped' && seen.port === 'silent';
    const seen = await lookUntil(injection, isFrozen, CONFIRM_MS);
    return { confirmed: isFrozen(seen), seen: seenWords(injection, seen) };
  },

  async truth(injection) {
    const { process, port } = await lookAtNode(injection);
    if (process === 'unknown') return 'unknown';
    return (process === 'running' || process === 'replaced') && port === 'answers' ? 'gone' : 'present';
  },

  async heal(injection) {
    const before = await lookAtNode(injection);
    if (before.process === 'running' || before.process === 'replaced')
      return { outcome: 'nothing-to-do', seen: seenWords(injection, before) };
    if (before.process !== 'stopped' || signalProcess(injection.detail.process, 'SIGCONT') === 'gone')
      throw cannotHeal(injection, before);
    const after = await lookUntil(injection, ({ process }) => process === 'running', CONFIRM_MS);
    return { outcome: 'healed', seen: seenWords(injection, after) };
  },
};
