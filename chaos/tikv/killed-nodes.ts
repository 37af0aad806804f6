import { MedicError } from '../../src/domain/errors.js';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import { signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import { openOwnLab } from '../own-lab.js';
import type { ChaosLab, Fault, Healing, Injection, TargetWish } from '../protocol.js';
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

/** The nodes that were hit, and the option that lets each die at its next start; `null`: there is none. */
export interface KilledDetail {
  readonly nodes: readonly { readonly name: string; readonly detail: NodeProcessDetail }[];
  readonly badOption: string | null;
}

/** A fault that kills the processes of some nodes at once. */
export interface KilledNodes extends Pick<Fault, 'name' | 'describe' | 'targets' | 'rightEnd'> {
  readonly role: NodeReport['role'];
  /** @throws MedicError `MEDIC_CHAOS_TARGET` when the wish cannot be met */
  choose(lab: ChaosLab, wish: TargetWish): Promise<readonly NodeReport[]>;
  /** Is added to the configuration of each node: a process that reads it ends at once. */
  readonly badOption?: string;
}

type Hit = Injection<KilledDetail>;
const CONFIRM_MS = 3_000;

export function killedNodes({ role, choose, badOption: option, ...fault }: KilledNodes): Fault<KilledDetail> {
  const badOption = option ?? null;
  return {
    ...fault,
    supports: (lab) => supportsProcesses(lab, role),

    async inject({ lab, target, record }) {
      const nodes = await choose(lab, target);
      const each = nodes.map((node) => injectionOn(fault.name, node, lab));
      const first = each[0];
      if (!first) throw new MedicError('MEDIC_CHAOS_TARGET', 'no node is chosen');
      const injection: Hit = {
        ...first,
        target: nodes.map(({ name }) => name).join(','),
        detail: { nodes: each.map(({ target: name, detail }) => ({ name, detail })), badOption },
      };
      record(injection);
      for (const { name } of nodes) addOption(lab.lab, name, badOption);
      for (const { name, detail } of injection.detail.nodes)
        if (signalProcess(detail.process, 'SIGKILL') === 'gone')
          throw new MedicError('MEDIC_CHAOS_TARGET', `${name} ended by itself before it could be killed`);
      return injection;
    },

    async confirm(injection) {
      const seen = await Promise.all(partsOf(injection).map((part) => lookUntil(part, isDown, CONFIRM_MS)));
      return { confirmed: seen.every(isDown), seen: wordsOf(injection, seen) };
    },

    async truth(injection) {
      const seen = await Promise.all(partsOf(injection).map(lookAtNode));
      if (seen.some(({ process }) => process === 'unknown')) return 'unknown';
      const isOver = seen.every(({ process, port }) => process === 'replaced' && port === 'answers');
      const { lab } = await openOwnLab(injection.labDir);
      return isOver && !optionStands(lab, injection) ? 'gone' : 'present';
    },

    heal,
  };
}

const isDown = ({ process, port }: Seen): boolean => process === 'dead' && port === 'refused';

const partsOf = ({ detail, ...rest }: Hit): readonly Injection<NodeProcessDetail>[] =>
  detail.nodes.map(({ name, detail: part }) => ({ ...rest, target: name, detail: part }));

const wordsOf = (injection: Hit, seen: readonly Seen[]): string =>
  partsOf(injection)
    .map((part, index) => seenWords(part, seen[index] as Seen))
    .join('; ');

async function heal(injection: Hit): Promise<Healing> {
  const { lab } = await openOwnLab(injection.labDir);
  const stood = optionStands(lab, injection);
  for (const { name } of injection.detail.nodes) dropOption(lab, name, injection.detail.badOption);
  const parts: Healing[] = [];
  for (const part of partsOf(injection)) parts.push(await startAgain(part));
  const isHealed = stood || parts.some(({ outcome }) => outcome === 'healed');
  return { outcome: isHealed ? 'healed' : 'nothing-to-do', seen: parts.map(({ seen }) => seen).join('; ') };
}

const optionStands = (lab: Lab, { detail: { nodes, badOption } }: Hit): boolean =>
  badOption !== null && nodes.some(({ name }) => lab.options(name).includes(badOption));

function addOption(lab: Lab, node: string, option: string | null): void {
  if (option !== null) lab.configure(node, [...lab.options(node), option]);
}

function dropOption(lab: Lab, node: string, option: string | null): void {
  const options = lab.options(node);
  const left = options.filter((one) => one !== option);
  if (left.length < options.length) lab.configure(node, left);
}
