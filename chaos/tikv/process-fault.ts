import { MedicError } from '../../src/domain/errors.js';
import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import type { ChaosLab, Fault, Healing, Injection, TargetWish } from '../protocol.js';
import { leadersByStore } from './leaders.js';
import {
  injectionOn,
  lookAtNode,
  lookUntil,
  type NodeProcessDetail,
  type Seen,
  seenWords,
  supportsProcesses,
} from './node-process.js';
import { chooseStore } from './target.js';

/** A fault that is one signal to the process of one node. */
export interface ProcessHarm extends Pick<Fault, 'name' | 'describe' | 'targets' | 'rightEnd'> {
  readonly role: NodeReport['role'];
  /** @throws MedicError `MEDIC_CHAOS_TARGET` when the wish cannot be met */
  choose(lab: ChaosLab, wish: TargetWish): Promise<NodeReport>;
  readonly signal: NodeJS.Signals;
  /** What was done to it, for messages: `killed`. */
  readonly done: string;
  /** What is seen once the harm is there. */
  readonly effect: Seen;
  readonly confirmWithinMs: number;
  /** States of the process that was hit in which the harm is over, as soon as the node answers. */
  readonly overWhen: readonly Seen['process'][];
  heal(injection: Injection<NodeProcessDetail>): Promise<Healing>;
}

export function processFault(harm: ProcessHarm): Fault<NodeProcessDetail> {
  const { name, describe, targets, rightEnd, role, effect } = harm;
  const isThere = ({ process, port }: Seen) => process === effect.process && port === effect.port;
  return {
    name,
    describe,
    targets,
    rightEnd,
    supports: (lab) => supportsProcesses(lab, role),

    async inject({ lab, target, record }) {
      const node = await harm.choose(lab, target);
      const injection = injectionOn(name, node, lab);
      record(injection);
      if (signalProcess(injection.detail.process, harm.signal) === 'sent') return injection;
      throw new MedicError('MEDIC_CHAOS_TARGET', `${node.name} ended by itself before it could be ${harm.done}`);
    },

    async confirm(injection) {
      const seen = await lookUntil(injection, isThere, harm.confirmWithinMs);
      return { confirmed: isThere(seen), seen: seenWords(injection, seen) };
    },

    async truth(injection) {
      const { process, port } = await lookAtNode(injection);
      if (process === 'unknown') return 'unknown';
      return harm.overWhen.includes(process) && port === 'answers' ? 'gone' : 'present';
    },

    heal: harm.heal,
  };
}

/** A running store: by name, by seed, or the one with most leaders by PD's word. */
export const storeToHit = async ({ lab }: ChaosLab, wish: TargetWish): Promise<NodeReport> =>
  chooseStore({ wish, nodes: await lab.ps(), leaders: () => leadersByStore(lab.topology()) });
