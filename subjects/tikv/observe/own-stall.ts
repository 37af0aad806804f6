import { gap, type Reading } from '../../../src/domain/reading.js';
import type { Vitals } from '../picture.js';

/** Lost time from this share of the deadline on makes silence worthless as a sign. */
const WORTHLESS_SHARE = 0.25;

export interface OwnStall {
  readonly lostMs: number;
  readonly requestMs: number;
}

/**
 * Takes back what this process may have done to itself: silence of a port and failures of the probe become gaps when
 * its own loop stood still for much of the time. A refused connection stays what it is.
 */
export function withoutOwnStall<T extends Omit<Vitals, 'trends'>>(vitals: T, { lostMs, requestMs }: OwnStall): T {
  if (lostMs < WORTHLESS_SHARE * requestMs) return vitals;
  const reason = `Medic itself stood still for ${lostMs} ms meanwhile`;
  const doubted = <T>(reading: Reading<T>, isDoubtful: (value: T) => boolean): Reading<T> =>
    reading.known && isDoubtful(reading.value)
      ? gap(reason, { at: reading.observedAt, source: reading.source })
      : reading;
  const isSilent = ({ kind }: { readonly kind: string }) => kind === 'silent';
  return {
    ...vitals,
    pd: vitals.pd.map((member) => ({ ...member, reach: doubted(member.reach, isSilent) })),
    stores: vitals.stores.map((store) => ({
      ...store,
      reach: doubted(store.reach, isSilent),
      clientPort: doubted(store.clientPort, isSilent),
    })),
    probe: doubted(vitals.probe, ({ regionsFailed }) => regionsFailed > 0),
  };
}
