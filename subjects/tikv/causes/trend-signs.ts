import type { Target } from '../../../src/domain/ids.js';
import type { Judged } from '../../protocol.js';
import { freeRatioOf } from '../picture/free-space.js';
import { storeNamed } from '../picture/look-up.js';
import { brakesIn, brakeWords, foreignSchedulers } from '../picture/orders.js';
import { networkTroubleOf, serviceOf, slowRiseOf } from '../picture/trends.js';
import { clientPortWords } from '../picture/words.js';
import type { TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { no, unknown, yes } from './judged.js';

/** No score between this store and another one stands risen. */
export function networkCalm(picture: TikvPicture, store: Target): Judged {
  const trouble = networkTroubleOf(picture, store);
  if (!trouble.known) return unknown(`scores of ${store}: ${trouble.reason}`);
  const others = [...trouble.value.with].join(', ');
  return others === ''
    ? yes(`no network score of ${store} stands risen`)
    : no(`network scores of ${store} and ${others} stand`);
}

/** PD's slow_score of this store does not stand risen. */
export function slowScoreCalm(picture: TikvPicture, store: Target): Judged {
  const rise = slowRiseOf(picture, store);
  if (!rise.known) return unknown(`slow_score of ${store}: ${rise.reason}`);
  return rise.value
    ? no(`slow_score of ${store} stands at ${rise.value.to}`)
    : yes(`slow_score of ${store} has not risen`);
}

/** A store that serves no region is compared with none, and is not slow. */
export function servesFast(picture: TikvPicture, store: Target): Judged {
  if (!picture.vitals.probe.known) return unknown(`the probe: ${picture.vitals.probe.reason}`);
  const service = serviceOf(picture, store);
  if (!service?.isSlow) return yes(`${store} serves no slower than the others`);
  return no(`${store} serves in ${Math.round(service.p50Ms)} ms, the others in ${Math.round(service.othersMs)} ms`);
}

/** The port for clients and peers takes connections. */
export function clientPortOpen(picture: TikvPicture, name: Target): Judged {
  const door = storeNamed(picture, name)?.clientPort;
  if (!door?.known) return unknown(`client port of ${name}: ${door?.reason ?? 'it is no store'}`);
  const words = `client port of ${name}: ${clientPortWords(door.value)}`;
  return door.value.kind === 'open' ? yes(words) : no(words);
}

export function hasSpace(picture: TikvPicture, name: Target): Judged {
  const pd = storeNamed(picture, name)?.pd;
  const ratio = pd?.known && pd.value ? freeRatioOf(pd.value) : null;
  if (ratio === null) return unknown(`free space of ${name} is not known`);
  const words = `${name} has ${Math.round(ratio * 100)} % of its space left`;
  return ratio >= PROFILES[picture.profile].remark.freeRatio ? yes(words) : no(words);
}

export function noForeignScheduler({ vitals: { scheduling } }: TikvPicture): Judged {
  const foreign = foreignSchedulers(scheduling);
  if (foreign === null) return unknown('the schedulers of PD are not known');
  return foreign.length === 0 ? yes('PD has only its own schedulers') : no(`PD has ${foreign.join(', ')}`);
}

export function schedulesFreely(picture: TikvPicture): Judged {
  const brakes = brakesIn(picture);
  if (brakes === null) return unknown('limits and pauses of PD are not known');
  return brakes.length === 0 ? yes('nothing keeps PD from scheduling') : no(brakes.map(brakeWords).join(', '));
}
