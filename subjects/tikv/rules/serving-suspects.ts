import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Facts, Suspect } from '../../protocol.js';
import { freeRatioOf } from '../picture/free-space.js';
import { doesAnswer, storeNamed, timesOf } from '../picture/look-up.js';
import { pdOpinionOf } from '../picture/pd-opinion.js';
import { isDrained, shutMs } from '../picture/trends.js';
import { clientPortWords, reachWords } from '../picture/words.js';
import type { TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { askPdAboutStore, askStatusPort, idInPd, inspectNode } from '../services.js';
import { citationOf, toldByHost, toldByPort } from './answers.js';
import { open, refuted, supported, tooEarly, undecided } from './assessment.js';
import { takeBack } from './cures.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

/** A store runs and answers, but not those whom it is there for. PD goes on calling it Up. */
export function grpcPaused(store: Target): TikvSuspect {
  return {
    cause: { class: 'grpc-paused', target: store },
    claim: `${store} takes no connections of clients and peers`,
    looks: [inspectNode(store), askStatusPort(store)],
    assess: (facts) => assessPaused(facts, store),
  };
}

function assessPaused(facts: TikvFacts, store: Target): Assessment {
  const host = toldByHost(facts, store);
  const port = toldByPort(facts, store);
  const door = storeNamed(facts.picture, store)?.clientPort;
  if (!host.value || !port.value || !door) return open(0.2, host.why || port.why || `${store} is not in the picture`);
  if (host.value.state !== 'running')
    return refuted(`the host shows ${store} ${host.value.state}`, { against: [host.id] });
  const against = [host.id, port.id, facts.pictureId];
  if (!doesAnswer(port.value)) return refuted(`its status port, too: ${reachWords(port.value)}`, { against });
  if (door.known && door.value.kind === 'open') return refuted('its client port takes connections', { against });
  if (door.known && shutMs(facts.picture, store) < timesOf(facts.picture).storeHeartbeatMs / 2)
    return tooEarly(
      0.3,
      `its client port does not take connections: ${clientPortWords(door.value)}; it may just start or end`,
    );
  if (door.known) {
    const words = `its client port: ${clientPortWords(door.value)}, while its status port answers`;
    return supported(door.value.kind === 'refused' ? 0.9 : 0.7, words, { for: against });
  }
  const words = `its client port was not tried (${door.reason})`;
  if (!isDrained(facts.picture, store))
    return refuted(`${words}, and it lost no leaders while PD hears of it`, { against });
  return undecided(`${words}, and it lost its leaders while it runs`, `a connection to the client port of ${store}`);
}

/**
 * Somebody takes it out. Whether that is a mistake only a person knows, so bringing it back is for policy to allow; once
 * its last region has left it is too late.
 */
export function storeOffline(store: Target, picture: TikvPicture): TikvSuspect {
  const look = askPdAboutStore(idInPd(picture, store));
  const pd = storeNamed(picture, store)?.pd;
  const isLeaving = pd?.known && pd.value?.state === 'Offline';
  return {
    ...(isLeaving ? { cure: takeBack(store) } : {}),
    cause: { class: 'store-offline', target: store },
    claim: `somebody removes ${store} from the cluster`,
    looks: [inspectNode(store), look],
    assess: (facts) => {
      const found = storeNamed(facts.picture, store);
      const opinion = found ? pdOpinionOf(facts.picture, found) : null;
      if (!opinion || opinion.kind === 'unknown') return open(0.2, opinion?.why ?? `${store} is not in the picture`);
      const ids = [facts.pictureId, citationOf(facts, look)];
      if (opinion.kind === 'unlisted')
        return supported(0.9, `PD does not list ${store} any more: it is removed for good`, { for: ids });
      const { state, regions } = opinion.store;
      if (state !== 'Offline' && state !== 'Tombstone') return refuted(`PD calls ${store} ${state}`, { against: ids });
      return supported(0.9, `PD calls ${store} ${state}, with ${regions} regions left to move`, { for: ids });
    },
  };
}

export function diskFull(store: Target, picture: TikvPicture): TikvSuspect {
  const look = askPdAboutStore(idInPd(picture, store));
  return {
    cause: { class: 'disk-full', target: store },
    claim: `the disk of ${store} is nearly full`,
    looks: [look],
    assess: (facts) => {
      const pd = storeNamed(facts.picture, store)?.pd;
      const told = pd?.known ? pd.value : null;
      const ratio = told ? freeRatioOf(told) : null;
      if (!told || ratio === null) return undecided('PD tells no free space', `\`df\` on the host of ${store}`);
      const words = `${told.available} of ${told.capacity} are left on ${store}`;
      const ids = [facts.pictureId, citationOf(facts, look)];
      if (ratio >= PROFILES[facts.picture.profile].remark.freeRatio) return refuted(words, { against: ids });
      return supported(0.9, words, { for: ids });
    },
  };
}
