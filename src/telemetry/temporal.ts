import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/common';
import type { MetricsBuffer, RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Options for `Runtime.install`, once per process and before the first connection: everything that workflows,
 * activities and Temporal's Core log goes through our log, and their metrics into `buffer` (see `pumpSdkMetrics`).
 */
export function temporalTelemetry({ log, buffer }: { log: Logger; buffer: MetricsBuffer }): RuntimeOptions {
  return {
    logger: temporalLogger(log),
    // Without `forward`, Core would print coloured text to the console by itself.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} }, metrics: { buffer } },
  };
}

/** Temporal's logger interface on top of our log; its errors are written with their stacks. */
export function temporalLogger(log: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata) => {
    const { error, ...rest } = meta ?? {};
    log[METHODS[level]](
      { ...rest, ...(error instanceof Error ? { err: error } : error !== undefined && { error }) },
      message,
    );
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

const METHODS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
