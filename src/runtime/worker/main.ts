import { parseArgs } from 'node:util';
import { MetricsBuffer, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { BEAT_THROTTLE_MS } from '../../../activities/heartbeats.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';
import { patrolId, queues, WORKFLOWS } from '../../../workflows/contract.js';
import { createArchive } from '../../evidence/archive.js';
import { createFileStore } from '../../evidence/file-store.js';
import { ownSecrets } from '../../evidence/own-secrets.js';
import { registerBudgetMetrics } from '../../telemetry/budget-metrics.js';
import { createLog, logLevel } from '../../telemetry/logging.js';
import { createMetrics } from '../../telemetry/metrics.js';
import { pumpSdkMetrics, SDK_METRICS_BUFFER } from '../../telemetry/sdk-metrics.js';
import { startTelemetryServer } from '../../telemetry/server.js';
import { temporalTelemetry } from '../../telemetry/temporal.js';
import { connectClient } from '../connection.js';
import { createDeskClient } from '../desk-client.js';
import { createInstanceBudget } from '../instance-budget.js';
import { keptMedic } from '../kept-medic.js';
import { dieWithParent } from '../process/die-with-parent.js';
import { workflowBundlePath } from '../replay.js';
import { securityFor } from '../temporal-env.js';
import { openIntake } from './intake.js';
import { refuseDiverged } from './open-histories.js';
import { mainActivities, type PartsDeps, watchActivities } from './parts.js';
import { openRooms } from './rooms.js';
import { readWorkerSettings } from './settings.js';
import { leaveStartError } from './start-error.js';
import { storySink } from './story-sink.js';
import { countStory, ticketCounts } from './ticket-metrics.js';

/**
 * One worker process: workflows and activities of the main queue, and `watch` on a queue of its own, so that a busy
 * worker never blinds the patrol. It ends with its parent, and in order on TERM.
 *
 *     worker/main.js --settings FILE
 */
dieWithParent();
const { values } = parseArgs({ options: { settings: { type: 'string' } } });
const settings = readWorkerSettings(values.settings ?? '');
const now = Date.now;
const secrets = ownSecrets(process.env);
const log = createLog({ name: 'worker', level: logLevel(process.env), stream: process.stderr, known: secrets });
const buffer = new MetricsBuffer(SDK_METRICS_BUFFER);
// The longest act, and time to report it: a worker that is asked to end lets it finish.
const GRACE_MS = 35_000;

Runtime.install({ ...temporalTelemetry({ log, buffer }), shutdownSignals: ['SIGTERM', 'SIGINT', 'SIGHUP'] });
const { client, connection } = await connectClient(settings);
const { main, watch } = queues(settings.taskQueue);
const bundlePath = workflowBundlePath();
await refuseDiverged({ client, taskQueue: main, bundlePath, stateDir: settings.stateDir }).catch((error: unknown) =>
  leaveStartError(settings.stateDir, error),
);
const archive = createArchive({ home: settings.home });
const metrics = createMetrics({ clock: { now }, ticketCounts: ticketCounts(client) });
const budget = createInstanceBudget({ ...settings, client, now });
registerBudgetMetrics({ registry: metrics.registry, read: budget.view });
const stopPump = pumpSdkMetrics({ source: buffer, registry: metrics.registry });
const evidence = createFileStore({ home: settings.home });
const { rooms, close: closeRooms } = await openRooms(settings, {
  archive,
  evidence,
  budget: budget.port,
  secrets,
  now,
  files: settings,
  env: process.env,
  warn: (why) => log.warn(why),
});
const parts: PartsDeps = {
  settings,
  client,
  rooms,
  desk: createDeskClient({
    client,
    taskQueue: settings.taskQueue,
    recurrenceMs: PROFILES[settings.profile].watch.recurrenceMs,
    firstNumber: archive.nextNumber,
    now,
  }),
  evidence,
  archive,
  metrics,
  medic: keptMedic({ file: settings.configFile, warn: (why) => log.error(why) }),
  secrets,
  log,
  now,
};

const native = await NativeConnection.connect({
  address: settings.address,
  ...securityFor(settings.address, process.env),
});
const common = {
  connection: native,
  namespace: settings.namespace,
  maxHeartbeatThrottleInterval: BEAT_THROTTLE_MS,
};
const mainWorker = await Worker.create({
  ...common,
  taskQueue: main,
  workflowBundle: { codePath: bundlePath },
  activities: mainActivities(parts),
  sinks: storySink(countStory(metrics), 'live'),
  maxCachedWorkflows: 200,
  // A worker that was killed would otherwise hold each of its workflows up for ten seconds.
  stickyQueueScheduleToStartTimeout: '1s',
  shutdownGraceTime: GRACE_MS,
  shutdownForceTime: GRACE_MS + 10_000,
});
const watchWorker = await Worker.create({ ...common, taskQueue: watch, activities: watchActivities(parts) });
const server = await startTelemetryServer({
  registry: metrics.registry,
  port: settings.metricsPort,
  health: () => ({ status: 'ok' }),
});
const intake = await openIntake({ intake: settings.intake, rooms, desk: parts.desk, log, now }).catch(
  (error: unknown) => leaveStartError(settings.stateDir, error),
);
const running = Promise.all([mainWorker.run(), watchWorker.run()]);
for (const subject of rooms.keys())
  await client.workflow.start(WORKFLOWS.patrol, {
    workflowId: patrolId(subject),
    taskQueue: main,
    args: [{ subject, watchQueue: watch }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `patrol of ${subject}`,
  });
log.info({ address: settings.address, queue: main }, 'worker is up');
await running;
await intake?.close();
await server.close();
stopPump();
await closeRooms();
await native.close();
await connection.close();
