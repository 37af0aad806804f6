import { SEARCH_ATTRIBUTES } from '../../../workflows/contract.js';
import { connectClient } from '../connection.js';
import { compiledFile } from '../package-root.js';
import type { ChildSpec } from './child.js';
import { withoutSecrets } from './clean-env.js';
import type { Readiness } from './supervisor.js';

const LOOPBACK = '127.0.0.1';
const UP_WITHIN_MS = 30_000;
const ANSWER_MS = 1000;

/**
 * Dynamic configuration of the server. By default it sleeps 50 ms between two tasks of a shard and 1 s between timers, and an
 * eleventh update in flight on one workflow fails.
 */
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxTimeShift': '10ms',
  'history.maxInFlightUpdates': 1000,
};

/** `synchronous=normal` with a write-ahead log survives the death of the process; only a power cut may cost the last commits. */
const SQLITE = ['journal_mode=wal', 'synchronous=normal'];

/** A Temporal dev server on loopback. */
export interface DevServerOptions {
  /** Path of the Temporal CLI. */
  readonly cli: string;
  readonly port: number;
  /** Port of the web UI; absent: headless. */
  readonly uiPort?: number;
  /** The database; absent: in memory, and nothing survives the process. */
  readonly dbFile?: string;
  /** Made at start if it is another one than `default`. */
  readonly namespace?: string;
  readonly logFile: string;
}

/** The server as a child for the supervisor: under a keeper, because it watches no pipe itself. */
export function devServerChild(options: DevServerOptions): ChildSpec {
  return {
    name: 'temporal',
    command: process.execPath,
    args: [compiledFile('src/runtime/process/keeper.ts'), options.cli, ...devServerArguments(options)],
    env: { ...withoutSecrets(process.env), TEMPORAL_VERSION_CHECK_DISABLED: '1' },
    logFile: options.logFile,
  };
}

/** Arguments of the Temporal CLI. Search attributes are registered here because only a server that we start lets us. */
export function devServerArguments({
  port,
  uiPort,
  dbFile,
  namespace,
}: Omit<DevServerOptions, 'cli' | 'logFile'>): string[] {
  return [
    'server',
    'start-dev',
    ...['--ip', LOOPBACK, '--port', String(port), '--log-level', 'warn'],
    ...(uiPort === undefined
      ? ['--headless']
      : ['--ui-ip', LOOPBACK, '--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...(dbFile === undefined
      ? []
      : ['--db-filename', dbFile, ...SQLITE.flatMap((pragma) => ['--sqlite-pragma', pragma])]),
    ...(namespace === undefined || namespace === 'default' ? [] : ['--namespace', namespace]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}

/** `host:port` of a dev server. */
export function devServerAddress({ port }: { port: number }): string {
  return `${LOOPBACK}:${port}`;
}

/** A dev server is up when it can describe the namespace; the port is open before that. Default: within 30 s. */
export function devServerReadiness({
  address,
  namespace,
  withinMs = UP_WITHIN_MS,
}: {
  address: string;
  namespace: string;
  withinMs?: number;
}): Readiness {
  return { withinMs, isUp: () => answers({ address, namespace }) };
}

/** Does a Temporal server answer for the namespace, now? For `doctor` and for waiting. */
export async function answers({ address, namespace }: { address: string; namespace: string }): Promise<boolean> {
  try {
    const { connection } = await connectClient({ address, namespace, withinMs: ANSWER_MS });
    try {
      await connection.withDeadline(Date.now() + ANSWER_MS, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
