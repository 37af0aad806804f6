import { MedicError } from '../../../../src/domain/errors.js';
import { labPaths, type StateFile, writeStateFile } from './files.js';
import { createLabNode, endLeftover, isLeftover, type LabNode, type NodeRecord, startsWithLabd } from './node.js';
import { openNodeLog } from './node-log.js';
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
}

/** Makes the nodes; every change of one is on disk (`state.json`) before anybody hears of it. */
export function createSupervisor({ dir, saved, now, ...lines }: SupervisorDeps): Supervisor {
  const persist = () => writeStateFile(dir, Object.fromEntries(nodes.map((node) => [node.name, node.record()])));
  const nodes: LabNode[] = lines.nodes.map((plan) =>
    createLabNode({
      plan,
      argv: startLine({ ...lines, node: plan }),
      log: openNodeLog({ file: labPaths(dir).log(plan.name), now }),
      now,
      saved: atRest(saved[plan.name], now()),
      onChange: persist,
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

/** Ends processes of an earlier labd of this folder that still run, and waits until they are gone. */
export async function endLeftovers({ saved, deadlineMs }: { saved: StateFile; deadlineMs: number }): Promise<void> {
  const records = Object.values(saved);
  for (const record of records) endLeftover(record);
  for (let waitedMs = 0; records.some(isLeftover); waitedMs += LEFTOVER_POLL_MS) {
    if (waitedMs >= deadlineMs)
      throw new MedicError(
        'MEDIC_LAB_FAILED',
        `a node of an earlier run does not end: pid ${records.find(isLeftover)?.pid}`,
      );
    await new Promise((later) => setTimeout(later, LEFTOVER_POLL_MS));
  }
}

/** A record whose labd was killed says that its process runs; by now it does not. */
function atRest(record: NodeRecord | undefined, at: Date): NodeRecord | undefined {
  if (record === undefined || record.finishedAt !== null) return record;
  return { ...record, pid: null, processStart: null, finishedAt: at.toISOString() };
}
