import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { Healing, Injection } from '../protocol.js';
import { cannotHeal, lookAtNode, lookUntil, type NodeProcessDetail, seenWords } from './node-process.js';
import { processFault, storeToHit } from './process-fault.js';

const WITHIN_MS = 5_000;

/**
 * A store's process is frozen with SIGSTOP. Its ports go on taking connections, because the kernel does that, and nothing
 * answers; its peers and PD miss it, while the host still lists the process. It stays so until somebody continues or
 * replaces it.
 */
export const processPause = processFault({
  name: 'process_pause',
  describe: "A store's process is frozen with SIGSTOP until somebody continues or replaces it.",
  targets: 'store',
  rightEnd: { kind: 'repaired' },
  role: 'store',
  choose: storeToHit,
  signal: 'SIGSTOP',
  done: 'frozen',
  effect: { process: 'stopped', port: 'silent' },
  confirmWithinMs: WITHIN_MS,
  overWhen: ['running', 'replaced'],
  heal: goOn,
});

async function goOn(injection: Injection<NodeProcessDetail>): Promise<Healing> {
  const before = await lookAtNode(injection);
  if (before.process === 'running' || before.process === 'replaced')
    return { outcome: 'nothing-to-do', seen: seenWords(injection, before) };
  if (before.process !== 'stopped' || signalProcess(injection.detail.process, 'SIGCONT') === 'gone')
    throw cannotHeal(injection, before);
  const after = await lookUntil(injection, ({ process }) => process === 'running', WITHIN_MS);
  return { outcome: 'healed', seen: seenWords(injection, after) };
}
