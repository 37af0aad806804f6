import { mapReading } from '../../../src/domain/reading.js';
import type { Scheduling } from '../picture.js';
import { askPdForLimits, askPdForPaused, askPdForSchedulers } from '../services.js';
import { type PdReader, readPd } from './pd-readings.js';
import { scheduleConfigSchema, schedulerNamesSchema } from './pd-schemas.js';

/** What PD is told to do; asked with every sample, as none of it shows in the stores. */
export async function lookAtScheduling(reader: PdReader, signal?: AbortSignal): Promise<Scheduling> {
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
