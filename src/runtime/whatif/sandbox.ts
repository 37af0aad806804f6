import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defaultPayloadConverter, TypedSearchAttributes } from '@temporalio/common';
import type { coresdk } from '@temporalio/proto';
import { DefaultLogger } from '@temporalio/worker';
import type * as WorkerModule from '@temporalio/worker/lib/worker.js';
import type { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { TrailEvent } from '../../domain/trail.js';
import type { Payload } from './script.js';

export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type Command = coresdk.workflow_commands.IWorkflowCommand;

/** What a workflow is told besides its jobs. */
export interface Moment {
  /** ms since the epoch */
  readonly at: number;
  readonly historyLength: number;
  readonly isReplaying: boolean;
}

export interface Activated {
  readonly commands: readonly Command[];
  /** What it told, in order. */
  readonly events: readonly TrailEvent[];
}

/**
 * The workflow code of the worker, in the sandbox of the worker, without a worker and without a server: whoever holds it
 * tells the workflow what happened and gets what it asks for. Time is what the holder says it is.
 */
export interface Sandbox {
  activate(jobs: readonly Job[], moment: Moment): Promise<Activated>;
  query<T>(name: string): Promise<T>;
  close(): Promise<void>;
}

/** Where sandboxes come from: one thread, which loads the workflow code once. */
export interface Sandboxes {
  open(options: SandboxOptions): Promise<Sandbox>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly input: readonly Payload[];
  /** ms since the epoch */
  readonly startedAt: number;
}

// The SDK has them, pinned to this version, in CommonJS files only.
const fromCommonJs = createRequire(import.meta.url);
const { ThreadedVMWorkflowCreator: Creator } = fromCommonJs('@temporalio/worker/lib/workflow/threaded-vm.js') as {
  ThreadedVMWorkflowCreator: typeof ThreadedVMWorkflowCreator;
};
const { msToTs } = fromCommonJs('@temporalio/common/lib/time') as { msToTs(ms: number): Timestamp };
const { parseWorkflowCode } = fromCommonJs('@temporalio/worker/lib/worker.js') as Pick<
  typeof WorkerModule,
  'parseWorkflowCode'
>;

type Timestamp = NonNullable<coresdk.workflow_activation.IWorkflowActivation['timestamp']>;

/** One activation of a ticket takes milliseconds; this is for a machine that is busy with other things. */
const ACTIVATION_MS = 30_000;

export async function createSandboxes({ bundlePath }: { readonly bundlePath: string }): Promise<Sandboxes> {
  const creator = await Creator.create({
    workflowBundle: parseWorkflowCode(readFileSync(bundlePath, 'utf8'), bundlePath),
    threadPoolSize: 1,
    isolateExecutionTimeoutMs: ACTIVATION_MS,
    reuseV8Context: true,
    registeredActivityNames: new Set(),
    logger: new DefaultLogger('ERROR'),
  });
  return { open: (options) => openSandbox(creator, options), close: () => creator.destroy() };
}

async function openSandbox(creator: ThreadedVMWorkflowCreator, options: SandboxOptions): Promise<Sandbox> {
  const { runId, startedAt } = options;
  const workflow = await creator.createWorkflow({
    info: infoOf(options),
    randomnessSeed: [...Buffer.from(runId.replaceAll('-', '').slice(0, 16).padEnd(16, '0'), 'hex')],
    now: startedAt,
    showStackTraceSources: false,
  });
  let begun = false;

  return {
    async activate(jobs, { at, historyLength, isReplaying }) {
      const first: Job[] = begun ? [] : [{ initializeWorkflow: initialOf(options) }];
      begun = true;
      const completion = await workflow.activate({
        runId,
        timestamp: msToTs(at),
        historyLength,
        isReplaying,
        jobs: [...first, ...jobs],
      });
      const calls = await workflow.getAndResetSinkCalls();
      return {
        commands: commandsOf(completion),
        events: calls.filter(({ ifaceName }) => ifaceName === 'story').map(({ args }) => args[1] as TrailEvent),
      };
    },
    async query<T>(name: string): Promise<T> {
      const completion = await workflow.activate({
        runId,
        jobs: [{ queryWorkflow: { queryId: name, queryType: name, arguments: [] } }],
      });
      const [answer] = commandsOf(completion);
      const response = answer?.respondToQuery?.succeeded?.response;
      if (!response) throw new Error(`the workflow did not answer the query ${name}`);
      return defaultPayloadConverter.fromPayload<T>(response);
    },
    close: () => workflow.dispose(),
  };
}

function commandsOf({ successful, failed }: coresdk.workflow_completion.IWorkflowActivationCompletion) {
  if (failed) throw new Error(`the workflow code failed: ${failed.failure?.message}\n${failed.failure?.stackTrace}`);
  return successful?.commands ?? [];
}

const initialOf = ({ workflowType, workflowId, runId, input, startedAt }: SandboxOptions) => ({
  workflowType,
  workflowId,
  arguments: [...input],
  firstExecutionRunId: runId,
  attempt: 1,
  startTime: msToTs(startedAt),
});

function infoOf({ workflowType, workflowId, runId, startedAt }: SandboxOptions): WorkflowInfo {
  return {
    workflowType,
    workflowId,
    runId,
    searchAttributes: {},
    typedSearchAttributes: new TypedSearchAttributes(),
    taskQueue: 'whatif',
    namespace: 'default',
    firstExecutionRunId: runId,
    startTime: new Date(startedAt),
    runStartTime: new Date(startedAt),
    taskTimeoutMs: 10_000,
    attempt: 1,
    historyLength: 0,
    historySize: 0,
    continueAsNewSuggested: false,
    targetWorkerDeploymentVersionChanged: false,
    currentBuildId: '',
    unsafe: { now: Date.now, isReplaying: true, isReplayingHistoryEvents: true },
  } as unknown as WorkflowInfo;
}
