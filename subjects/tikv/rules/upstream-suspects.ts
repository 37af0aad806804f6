import type { Assessment, Facts, Suspect } from '../../protocol.js';
import type { CauseName } from '../causes.js';
import { isFreshlyUp, pdOpinionOf } from '../picture/pd-opinion.js';
import { witnessWords } from '../picture/words.js';
import type { TikvPicture, Witness } from '../picture.js';
import { askHostForNodes, askPdForStores } from '../services.js';
import { citationOf, toldByHosts } from './answers.js';
import { open, refuted } from './assessment.js';

type TikvFacts = Facts<TikvPicture>;

/**
 * What makes leaders and replicas uneven or few anywhere: looked into for the whole cluster, by one question to the host
 * and one to PD, before an order to PD is changed. A store that turns out to be hit has a ticket of its own.
 */
export const upstreamSuspects = (): readonly Suspect<TikvPicture>[] => [
  suspect('process-dead', 'a store died', (facts) => assessProcesses(facts, 'exited')),
  suspect('process-frozen', 'a store is frozen', (facts) => assessProcesses(facts, 'paused')),
  suspect('link-loss', 'a store is cut off', assessLinks),
];

const suspect = (name: CauseName, claim: string, assess: (facts: TikvFacts) => Assessment): Suspect<TikvPicture> => ({
  cause: { class: name, target: 'cluster' },
  claim,
  looks: [askHostForNodes(), askPdForStores()],
  assess,
});

function assessProcesses(facts: TikvFacts, wrong: Witness['state']): Assessment {
  const hosts = toldByHosts(facts);
  if (!hosts.value) return open(0.2, hosts.why);
  const hit = hosts.value.filter(({ state }) => state === wrong);
  if (hit.length === 0)
    return refuted(`the host shows none of ${hosts.value.length} nodes ${wrong}`, { against: [hosts.id] });
  return open(0.4, hit.map((node) => `${node.name} ${witnessWords(node)}`).join(', '), { for: [hosts.id] });
}

function assessLinks(facts: TikvFacts): Assessment {
  const { picture, pictureId } = facts;
  const asked = citationOf(facts, askPdForStores());
  const unheard = picture.vitals.stores.filter((store) => !isFreshlyUp(picture, pdOpinionOf(picture, store)));
  if (asked === null) return open(0.2, 'PD was not asked for its stores yet');
  if (unheard.length === 0) return refuted('PD has fresh heartbeats of every store', { against: [asked, pictureId] });
  return open(0.4, `PD does not call ${unheard.map(({ name }) => name).join(', ')} Up`, { for: [pictureId] });
}
