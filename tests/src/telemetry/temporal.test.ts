import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsBuffer, NativeConnection, Runtime } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createLog } from '../../../src/telemetry/logging.js';
import { pumpSdkMetrics, SDK_METRICS_BUFFER } from '../../../src/telemetry/sdk-metrics.js';
import { temporalLogger, temporalTelemetry } from '../../../src/telemetry/temporal.js';
import { until } from '../../support/until.js';

const written: string[] = [];
const log = createLog({ name: 'worker', level: 'trace', known: [], stream: { write: (text) => written.push(text) } });
const lines = () => written.map((line) => JSON.parse(line));

describe('the log as Temporal sees it', () => {
  it('takes each level, the attributes, and errors with their stacks', () => {
    written.length = 0;
    const temporal = temporalLogger(log);
    temporal.info('started', { workflowId: 'ticket/tikv/1' });
    temporal.log('WARN', 'failed', { error: new Error('no leader'), attempt: 2 });
    temporal.error('odd', { error: 'just text' });
    temporal.trace('t');
    temporal.debug('d');
    temporal.warn('w');
    expect(lines().map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'info started',
      'warn failed',
      'error odd',
      'trace t',
      'debug d',
      'warn w',
    ]);
    expect(lines()[0]).toMatchObject({ workflowId: 'ticket/tikv/1' });
    expect(lines()[1]).toMatchObject({
      attempt: 2,
      err: { message: 'no leader', stack: expect.stringContaining('at ') },
    });
    expect(lines()[2]).toMatchObject({ error: 'just text' });
  });
});

/** A server that knows no method; the SDK takes it for a very old Temporal. */
async function withEmptyGrpcServer(use: (address: string) => Promise<void>): Promise<void> {
  const server = new Server();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (failure, bound) =>
      failure ? reject(failure) : resolve(bound),
    );
  });
  try {
    await use(`127.0.0.1:${port}`);
  } finally {
    server.forceShutdown();
  }
}

describe("Temporal's own runtime", () => {
  const buffer = new MetricsBuffer(SDK_METRICS_BUFFER);
  beforeAll(() => {
    Runtime.install(temporalTelemetry({ log, buffer }));
  });
  afterAll(() => Runtime.instance().shutdown());

  it('writes through our log', async () => {
    written.length = 0;
    Runtime.instance().logger.warn('from the runtime', { taskQueue: 'medic' });
    const line = await until('the line of the runtime', () => lines().find(({ msg }) => msg === 'from the runtime'), {
      seen: () => written,
    });
    expect(line).toMatchObject({ level: 'warn', name: 'worker', taskQueue: 'medic' });
  });

  it('counts into our registry, every kind of metric, at the given pace', async () => {
    const registry = new Registry();
    const stop = pumpSdkMetrics({ source: buffer, registry, everyMs: 20 });
    const meter = Runtime.instance().metricMeter.withTags({ task_queue: 'medic', user_id: 'anybody' });
    meter.createCounter('probe_count').add(2);
    meter.createCounter('probe_count').add(3);
    meter.createHistogram('probe_latency', 'float', 's', 'how long').record(0.25);
    meter.createHistogram('probe_size').record(100);
    meter.createGauge('probe_gauge').set(7);
    meter.createUpDownCounter?.('probe_level').add(5);
    meter.createUpDownCounter?.('probe_level').add(-2);
    await until(
      'all updates',
      async () => ((await registry.metrics()).includes('probe_level{task_queue="medic"} 3') ? true : undefined),
      {
        seen: () => registry.getMetricsAsArray().map((metric) => metric.name),
      },
    );
    stop();
    const text = await registry.metrics();
    expect(text).toContain('probe_count{task_queue="medic"} 5\n');
    expect(text).toContain('# HELP probe_latency_seconds how long\n# TYPE probe_latency_seconds histogram\n');
    expect(text).toContain('probe_latency_seconds_bucket{le="0.128",task_queue="medic"} 0\n');
    expect(text).toContain('probe_latency_seconds_bucket{le="0.256",task_queue="medic"} 1\n');
    expect(text).toContain('probe_size_sum{task_queue="medic"} 100\n');
    expect(text).toContain('probe_gauge{task_queue="medic"} 7\n');
    expect(text).not.toContain('anybody');
  });

  it('counts its requests to a server, under the names of the SDK', async () => {
    const registry = new Registry();
    const stop = pumpSdkMetrics({ source: buffer, registry, everyMs: 3_600_000 });
    await withEmptyGrpcServer(async (address) => (await NativeConnection.connect({ address })).close());
    stop();
    const text = await registry.metrics();
    expect(text).toMatch(/^temporal_request\{.*operation="GetSystemInfo".*\} 1$/m);
    expect(text).toMatch(/^temporal_request_latency_seconds_count\{.*operation="GetSystemInfo".*\} 1$/m);
  });

  it('takes over what is left when it is stopped', async () => {
    const registry = new Registry();
    const stop = pumpSdkMetrics({ source: buffer, registry, everyMs: 3_600_000 });
    Runtime.instance().metricMeter.createCounter('late_count').add(1);
    stop();
    expect(await registry.metrics()).toContain('late_count 1\n');
  });

  it('cannot write into a metric of ours that has the same name', async () => {
    const registry = new Registry();
    const { Counter } = await import('prom-client');
    new Counter({ name: 'medic_looks_total', help: 'ours', registers: [registry] });
    const stop = pumpSdkMetrics({ source: buffer, registry, everyMs: 3_600_000 });
    Runtime.instance().metricMeter.createCounter('medic_looks_total').add(9);
    stop();
    expect(await registry.metrics()).toContain('medic_looks_total 0\n');
  });
});
