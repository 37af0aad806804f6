import { afterAll, beforeAll } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { BEAT_THROTTLE_MS } from '../../activities/heartbeats.js';
import { temporalCli } from '../../src/runtime/process/temporal-cli.js';
import { workflowBundlePath } from '../../src/runtime/replay.js';
import { storySink } from '../../src/runtime/worker/story-sink.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contract.js';

export interface WorkerOptions {
  /** Default: one of its own. */
  readonly queue?: string;
  /** Default: the bundle that setup built. */
  readonly bundlePath?: string;
}

/** A real Temporal dev server for the tests of one file, with the bundle that setup built. */
export interface TestTemporal {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly address: string;
  /** Runs a worker for as long as `work` takes, on a queue of its own unless one is given. */
  withWorker<T>(activities: object, work: (queue: string) => Promise<T>, options?: WorkerOptions): Promise<T>;
}

/** Flags of temporal-verified 9: without them a timer takes a second and a hop 50 ms. */
const FAST = {
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '2000',
  'history.visibilityProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxTimeShift': '"10ms"',
};

/** `config`: further dynamic configuration of the server. */
export function withTemporal({ config = {} }: { config?: Readonly<Record<string, string>> } = {}): TestTemporal {
  let env: TestWorkflowEnvironment | undefined;
  let queues = 0;
  const need = () => {
    if (!env) throw new Error('Temporal is not up before beforeAll has run');
    return env;
  };
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    env = await TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path: temporalCli() },
        searchAttributes: SEARCH_ATTRIBUTES.map((name) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD)),
        extraArgs: Object.entries({ ...FAST, ...config }).flatMap(([key, value]) => [
          '--dynamic-config-value',
          `${key}=${value}`,
        ]),
        log: { format: 'pretty', level: 'error' },
      },
    });
  }, 60_000);
  afterAll(async () => {
    await env?.teardown();
    await Runtime.instance().shutdown();
  }, 30_000);
  return {
    get client() {
      return need().client;
    },
    get connection() {
      return need().nativeConnection;
    },
    get address() {
      return need().address;
    },
    async withWorker(activities, work, { queue: given, bundlePath = workflowBundlePath() } = {}) {
      queues += 1;
      const queue = given ?? `test-${queues}`;
      const worker = await Worker.create({
        connection: need().nativeConnection,
        taskQueue: queue,
        workflowBundle: { codePath: bundlePath },
        activities,
        maxHeartbeatThrottleInterval: BEAT_THROTTLE_MS,
        sinks: storySink(() => {}, 'live'),
      });
      return worker.runUntil(work(queue));
    },
  };
}
