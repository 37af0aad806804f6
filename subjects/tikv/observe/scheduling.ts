import { mapReading } from '../../../src/domain/reading.js';
import type { Scheduling } from '../picture.js';
import { askPdForLimits, askPdForPaused, askPdForSchedulers } from '../services.js';
import { type PdReader, readPd } from './pd-readings.js';
import { scheduleConfigSchema, schedulerNamesSchema } from './pd-schemas.js';

/**
 * What PD is told to do changes by a person's hand only, so it is asked again after `everyMs`; until then the last answer
 * stands, with its time. What was not answered is asked again at once.
 */
export function createSchedulingLook(reader: PdReader, everyMs: number): (signal?: AbortSignal) => Promise<Scheduling> {
  let last: { readonly at: number; readonly scheduling: Scheduling } | null = null;
  return async (signal) => {
    const now = reader.clock();
    if (last && now - last.at < everyMs) return last.scheduling;
    const scheduling = await lookAtScheduling(reader, signal);
    const isWhole = Object.values(scheduling).every(({ known }) => known);
    last = isWhole ? { at: now, scheduling } : null;
    return scheduling;
  };
}

async function lookAtScheduling(reader: PdReader, signal?: AbortSignal): Promise<Scheduling> {
  const [schedulers, paused, config] = await Promise.all([
    readPd(reader, { path: askPdForSchedulers().path, schema: schedulerNamesSchema, signal }),
    readPd(reader, { path: askPdForPaused().path, schema: schedulerNamesSchema, signal }),
    readPd(reader, { path: askPdForLimits().path, schema: scheduleConfigSchema, signal }),
  ]);
  return {
    schedulers,
    paused,
    limits: mapReading(config, (schedule) => ({
      leaders: schedule['leader-schedule-limit'],
      halted: schedule['halt-scheduling'],
    })),
  };
}
