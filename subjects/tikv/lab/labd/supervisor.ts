import { MedicError } from '../../../../src/domain/errors.js';
import { labPaths, readNodeOptions, type StateFile, writeStateFile } from './files.js';
import { createLabNode, type LabNode } from './node.js';
import { openNodeLog } from './node-log.js';
import { identityOf, type NodeRecord, startsWithLabd } from './node-record.js';
import { isAlive, type ProcessIdentity, signalProcess } from './process-look.js';
import { type StartLineInput, startLine } from './start-line.js';

/** The nodes of a lab, in the order of the plan. */
export interface Supervisor {
  readonly nodes: readonly LabNode[];
  /** @throws MedicError `MEDIC_LAB_UNKNOWN_NODE` */
  node(name: string): LabNode;
  /** Starts what ran when the labd before ended, and what never ran. What had died or was stopped stays as it is. */
  startAll(): Promise<void>;
  /** Ends every node, each within the grace. */
  endAll(options: { graceMs: number }): Promise<void>;
}

/** What a supervisor is made of. */
export interface SupervisorDeps extends Omit<StartLineInput, 'node'> {
  readonly dir: string;
  readonly saved: StateFile;
  readonly now: () => Date;
  /** Hears of every process that is started. */
  readonly onStarted: (process: ProcessIdentity) => void;
}

/** Makes the nodes; every change of one is on disk (`state.json`) before anybody hears of it. */
export function createSupervisor({ dir, saved, now, onStarted, ...lines }: SupervisorDeps): Supervisor {
  const persist = () => writeStateFile(dir, Object.fromEntries(nodes.map((node) => [node.name, node.record()])));
  const nodes: LabNode[] = lines.nodes.map((plan) =>
    createLabNode({
      plan,
      argv: () => [...startLine({ ...lines, node: plan }), ...readNodeOptions(dir, plan.name)],
      log: openNodeLog({ file: labPaths(dir).log(plan.name), now }),
      now,
      saved: atRest(saved[plan.name], now()),
      onChange: persist,
      onStarted,
    }),
  );
  return {
    nodes,
    node(name) {
      const found = nodes.find((node) => node.name === name);
      if (found) return found;
      throw new MedicError(
        'MEDIC_LAB_UNKNOWN_NODE',
        `there is no node ${name}; there are ${nodes.map((n) => n.name).join(', ')}`,
      );
    },
    async startAll() {
      await Promise.all(nodes.filter(({ name }) => startsWithLabd(saved[name])).map((node) => node.start()));
    },
    async endAll(options) {
      await Promise.all(nodes.map((node) => node.endWithLabd(options)));
    },
  };
}

const LEFTOVER_POLL_MS = 50;

/**
 * Ends processes that an earlier labd of this folder left, and waits until they are gone and their data is free.
 *
 * @throws MedicError `MEDIC_LAB_FAILED` when one is still there at the deadline
 */
export async function endLeftovers({ saved, deadlineMs }: { saved: StateFile; deadlineMs: number }): Promise<void> {
  const processes = Object.values(saved).flatMap((record) => identityOf(record) ?? []);
  for (const process of processes) signalProcess(process, 'SIGKILL');
  for (let waitedMs = 0; processes.some(isAlive); waitedMs += LEFTOVER_POLL_MS) {
    if (waitedMs >= deadlineMs)
      throw new MedicError(
        'MEDIC_LAB_FAILED',
        `a node of an earlier run does not end: pid ${processes.find(isAlive)?.pid}`,
      );
    await new Promise((later) => setTimeout(later, LEFTOVER_POLL_MS));
  }
}

/** A record whose labd was killed says that its process runs; by now it does not. */
function atRest(record: NodeRecord | undefined, at: Date): NodeRecord | undefined {
  if (record === undefined || record.finishedAt !== null) return record;
  return { ...record, pid: null, processStart: null, finishedAt: at.toISOString() };
}
