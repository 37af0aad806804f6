import { mapReading } from '../../../src/domain/reading.js';
import type { Scheduling } from '../picture.js';
import { askPdForHeld, askPdForLimits, askPdForPaused, askPdForSchedulers } from '../services.js';
import { type PdReader, readPd } from './pd-readings.js';
import { heldStoresSchema, scheduleConfigSchema, schedulerNamesSchema } from './pd-schemas.js';
import { remembered } from './remembered.js';

/**
 * What PD is told to do changes by a person's hand only, so it is asked again after `everyMs`; until then the last answer
 * stands, with its time. What was not answered is asked again at once.
 */
export const createSchedulingLook = (
  reader: PdReader,
  everyMs: number,
): ((signal?: AbortSignal) => Promise<Scheduling>) =>
  remembered({
    look: (signal) => lookAtScheduling(reader, signal),
    everyMs,
    clock: reader.clock,
    isWhole: (scheduling) => Object.values(scheduling).every(({ known }) => known),
  });

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
      regions: schedule['region-schedule-limit'] ?? null,
      replicas: schedule['replica-schedule-limit'] ?? null,
      stores: schedule['store-limit'],
    })),
    held: await heldStores(reader, schedulers, signal),
  };
}

const HOLD_STORES = /^(evict|grant)-leader-scheduler$/;

/** Asked only where there is such a scheduler, which is rare. */
async function heldStores(
  reader: PdReader,
  schedulers: Scheduling['schedulers'],
  signal?: AbortSignal,
): Promise<Scheduling['held']> {
  if (!schedulers.known) return schedulers;
  const names = schedulers.value.filter((name) => HOLD_STORES.test(name));
  const lists = await Promise.all(
    names.map((name) => readPd(reader, { path: askPdForHeld(name).path, schema: heldStoresSchema, signal })),
  );
  const missing = lists.find((list) => !list.known);
  if (missing && !missing.known) return missing;
  return mapReading(schedulers, () =>
    Object.fromEntries(
      lists.map((list, index) => [names[index], list.known ? Object.keys(list.value['store-id-ranges'] ?? {}) : []]),
    ),
  );
}
