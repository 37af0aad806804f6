import { join } from 'node:path';
import { type Connected, connectClient } from './connection.js';
import { devServerChild } from './process/dev-server.js';
import type { Supervisor } from './process/supervisor.js';
import { temporalCli } from './process/temporal-cli.js';
import { setRetention } from './retention.js';
import { ensureSearchAttributes } from './search-attributes.js';

/** Of a dev server of our own. */
export const NAMESPACE = 'default';
const RETENTION_DAYS = 30;
const TEMPORAL_WITHIN_MS = 30_000;

export interface Ports {
  readonly temporal: number;
  readonly ui: number;
  readonly metrics: number;
}

export async function startTemporal(
  supervisor: Supervisor,
  { stage, address, ports }: { stage: string; address: string; ports: Ports },
): Promise<Connected> {
  const child = devServerChild({
    cli: temporalCli(),
    port: ports.temporal,
    uiPort: ports.ui,
    dbFile: join(stage, 'temporal.db'),
    logFile: join(stage, 'logs', 'temporal.log'),
  });
  const isUp = () => connectOnce(address).then((up) => up !== null);
  await supervisor.start(child, { isUp, withinMs: TEMPORAL_WITHIN_MS });
  const connected = await connectClient({ address, namespace: NAMESPACE });
  await setRetention({ connection: connected.connection, namespace: NAMESPACE, days: RETENTION_DAYS });
  await ensureSearchAttributes({ connection: connected.connection, namespace: NAMESPACE });
  return connected;
}

/** `true` once the namespace answers; the front end listens a moment before it knows its namespaces. */
async function connectOnce(address: string): Promise<true | null> {
  try {
    const { connection } = await connectClient({ address, namespace: NAMESPACE, withinMs: 1_000 });
    try {
      await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return null;
  }
}
