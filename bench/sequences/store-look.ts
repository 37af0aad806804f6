import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import { probe } from './probe.js';
import type { Row } from './rows.js';

/** Processes and status ports of all stores at one moment, as the parts of a row. */
export async function lookAtStores(lab: Lab, limitMs: number): Promise<Pick<Row, 'proc' | 'status_ms'>> {
  const { stores } = lab.topology();
  const [nodes, ...statuses] = await Promise.all([
    lab.ps(),
    ...stores.map(({ statusAddress }) => probe(`http://${statusAddress}/status`, limitMs, (text) => text)),
  ]);
  const stateOf = (name: string) => nodes.find((node) => node.name === name)?.state ?? 'exited';
  return {
    proc: stores.map(({ name }) => LETTERS[stateOf(name)]).join(''),
    status_ms: statuses.map((status) => (status.kind === 'answer' ? Math.round(status.ms) : status.kind)),
  };
}

/** As Linux shows them. */
const LETTERS: Readonly<Record<NodeReport['state'], string>> = { running: 'S', paused: 'T', exited: '-' };
