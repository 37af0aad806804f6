import { NOT_AVAILABLE } from '../../../src/domain/evidence.js';
import { gap, type Reading } from '../../../src/domain/reading.js';
import { doesAnswer } from '../picture/look-up.js';
import type { PdMember, Store, Vitals } from '../picture.js';

/**
 * From outside of a cluster some ports cannot be reached at all: a status port on loopback, an address of an inner network.
 * Until a port has answered us once, its silence says nothing about its process; so it is a gap, not a sign. One per process.
 */
export function createPortMemory(endpoints: readonly string[]) {
  const opened = new Set<string>();
  const told = <T>(key: string, reading: Reading<T>, isOpen: (value: T) => boolean): Reading<T> => {
    if (reading.known && isOpen(reading.value)) opened.add(key);
    if (!reading.known || opened.has(key)) return reading;
    return gap(`${NOT_AVAILABLE}it has never answered from where Medic runs`, {
      at: reading.observedAt,
      source: reading.source,
    });
  };
  const store = (one: Store): Store => ({
    ...one,
    reach: told(`${one.name} status`, one.reach, doesAnswer),
    clientPort: told(`${one.name} client`, one.clientPort, ({ kind }) => kind === 'open'),
  });
  const member = (one: PdMember): PdMember =>
    endpoints.includes(one.clientUrl) ? one : { ...one, reach: told(one.name, one.reach, doesAnswer) };
  return <T extends Pick<Vitals, 'pd' | 'stores'>>(vitals: T): T => ({
    ...vitals,
    pd: vitals.pd.map(member),
    stores: vitals.stores.map(store),
  });
}
