import type { BufferedMetricUpdate } from '@temporalio/worker';
import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';

/** Where the SDK leaves its metric updates: a `MetricsBuffer` that was given to `Runtime.install`. */
export interface SdkMetricsSource {
  retrieveUpdates(): Iterable<BufferedMetricUpdate>;
}

/** Options for the `MetricsBuffer`: seconds as Prometheus wants them; a full buffer drops what comes. */
export const SDK_METRICS_BUFFER = { useSecondsForDurations: true, maxBufferSize: 50_000 } as const;

/** The SDK's attributes that become labels. Others are dropped, as anybody's code can put ids there. */
const LABELS = [
  ...['service_name', 'namespace', 'task_queue', 'worker_type', 'poller_type', 'workflow_type', 'activity_type'],
  ...['operation', 'status_code', 'failure_reason', 'eager', 'resource_type', 'attempt_type'],
] as const;
type Label = (typeof LABELS)[number];

/** 1 ms to about 65 s. */
const DURATIONS = exponentialBuckets(0.001, 2, 17);
const SIZES = exponentialBuckets(1, 4, 12);

export interface SdkMetricsOptions {
  readonly source: SdkMetricsSource;
  readonly registry: Registry;
  /** Default 1000. */
  readonly everyMs?: number;
}

/**
 * Moves the Temporal SDK's metrics into our registry, so that one endpoint has all. Names stay as the SDK has them
 * (`temporal_request`); durations get the suffix `_seconds`.
 *
 * @returns takes over what is left and ends it
 */
export function pumpSdkMetrics({ source, registry, everyMs = 1_000 }: SdkMetricsOptions): () => void {
  const record = recorder(registry);
  const drain = () => {
    for (const update of source.retrieveUpdates()) record(update);
  };
  const timer = setInterval(drain, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    drain();
  };
}

type Series = (labels: Partial<Record<Label, string>>, value: number) => void;

function recorder(registry: Registry): (update: BufferedMetricUpdate) => void {
  const known = new Map<string, Series>();
  return ({ metric, value, attributes }) => {
    let series = known.get(metric.name);
    if (!series) {
      series = createSeries(metric, registry);
      known.set(metric.name, series);
    }
    series(labelsOf(attributes), value);
  };
}

function labelsOf(attributes: BufferedMetricUpdate['attributes']): Partial<Record<Label, string>> {
  const given = LABELS.filter((label) => attributes[label] !== undefined);
  return Object.fromEntries(given.map((label) => [label, String(attributes[label])]));
}

function createSeries(metric: BufferedMetricUpdate['metric'], registry: Registry): Series {
  const inSeconds = metric.unit === 's';
  const name = metric.name.replace(/[^\w:]/g, '_') + (inSeconds ? '_seconds' : '');
  // Workflow code can make metrics of any name; one of ours stays ours.
  if (registry.getSingleMetric(name)) return () => undefined;
  const options = { name, help: metric.description || metric.name, labelNames: LABELS, registers: [registry] };
  switch (metric.kind) {
    case 'counter': {
      const counter = new Counter(options);
      return (labels, value) => counter.inc(labels, value);
    }
    case 'histogram': {
      const histogram = new Histogram({ ...options, buckets: inSeconds ? DURATIONS : SIZES });
      return (labels, value) => histogram.observe(labels, value);
    }
    case 'gauge': {
      const gauge = new Gauge(options);
      return (labels, value) => gauge.set(labels, value);
    }
    case 'up-down-counter': {
      const gauge = new Gauge(options);
      return (labels, value) => gauge.inc(labels, value);
    }
  }
}
