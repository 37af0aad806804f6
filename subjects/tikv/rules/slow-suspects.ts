import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Facts, Suspect } from '../../protocol.js';
import { ageIn, doesAnswer, storeNamed, timesOf } from '../picture/look-up.js';
import { isFreshlyUp, pdOpinionOf } from '../picture/pd-opinion.js';
import {
  deafMs,
  leaderLossOf,
  type NetworkTrouble,
  networkTroubleOf,
  serviceOf,
  slowRiseOf,
} from '../picture/trends.js';
import { ageWords, reachWords } from '../picture/words.js';
import type { Reach, ScoreRise, TikvPicture } from '../picture.js';
import { askPdAboutStore, askStatusPort, inspectNode } from '../services.js';
import { toldByHost, toldByPort } from './answers.js';
import { open, refuted, supported, tooEarly, undecided } from './assessment.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

/** What decides between kinds of network trouble. */
export const HOST_NETWORK = 'on the host: `ss -ti` (rtt, retransmits, Send-Q), `iptables -S`, `tc -s qdisc`';
const HOST_CPU = 'on the host: nr_throttled of `cpu.stat`, the load of the machine';
const HOST_DISK = 'on the host: the latency of the disk (`iostat -x`)';

/** What makes a store slow without ending it. PD's and the peers' scores come with heartbeats, so they need a while. */
export function slowSuspects(store: Target, picture: TikvPicture): readonly TikvSuspect[] {
  const pd = storeNamed(picture, store)?.pd;
  const id = pd?.known ? (pd.value?.id ?? null) : null;
  const looks = [inspectNode(store), askStatusPort(store), askPdAboutStore(id)];
  const suspect = (name: string, claim: string, assess: (sight: Sight) => Assessment): TikvSuspect => ({
    cause: { class: name, target: store },
    claim,
    looks,
    assess: (facts) => assessRunning(facts, store, assess),
  });
  return [
    suspect('cpu-starved', `${store} gets too little processor time`, assessCpu),
    suspect('disk-slow', `the disk of ${store} is slow`, assessDisk),
    suspect('link-slow', `all links of ${store} are slow, lossy or narrow`, assessLinks),
    suspect('peer-link-loss', `one link of ${store} to another store is cut`, assessPair),
  ];
}

/** What the assessments below judge by. */
interface Sight {
  readonly facts: TikvFacts;
  readonly store: Target;
  readonly port: Reach;
  readonly slow: ScoreRise | null;
  readonly network: NetworkTrouble;
  /** Everything asked, to be cited. */
  readonly all: readonly Assessment['for'][number][];
}

/** Only a process that runs can be slow, and only one who watched knows which scores rose. */
function assessRunning(facts: TikvFacts, store: Target, assess: (sight: Sight) => Assessment): Assessment {
  const host = toldByHost(facts, store);
  if (!host.value) return open(0.2, host.why);
  if (host.value.state !== 'running')
    return refuted(`the host shows ${store} ${host.value.state}: nothing that runs slowly`, { against: [host.id] });
  const port = toldByPort(facts, store);
  if (!port.value) return open(0.2, port.why);
  const slow = slowRiseOf(facts.picture, store);
  const network = networkTroubleOf(facts.picture, store);
  if (!slow.known || !network.known) return open(0.2, `scores: ${slow.known ? '' : slow.reason}`);
  const all = [host.id, port.id, facts.pictureId].filter((id) => id !== null);
  return assess({ facts, store, port: port.value, slow: slow.value, network: network.value, all });
}

/** TiKV raises slow_score only for its own delays: 2, 8, 16, 64, 100 at steps of 10 s, before any peer complains. */
function assessCpu(sight: Sight): Assessment {
  const { port, slow, network, store, all } = sight;
  if (slow && isLate(port))
    return supported(0.8, `${slowWords(slow)}, and ${portWords(port)}, which touches no disk`, { for: all });
  if (slow) return undecided(`${slowWords(slow)}, yet ${portWords(port)}`, HOST_CPU, { for: all });
  if (network.about.length > 1)
    return refuted(`${blamedWords(network)}, and slow_score of ${store} has not risen before that`, { against: all });
  return assessUnexplained(sight, HOST_CPU) ?? refuted(`slow_score of ${store} has not risen`, { against: all });
}

function assessDisk({ port, slow, store, all }: Sight): Assessment {
  if (!slow) return refuted(`slow_score of ${store} has not risen`, { against: all });
  if (isLate(port)) return refuted(`${portWords(port)}, and that touches no disk`, { against: all });
  return undecided(`${slowWords(slow)} while ${portWords(port)}`, HOST_DISK, { for: all });
}

/** Slow to all and cut from none: it keeps its leaders, as Raft's heartbeats get through. */
function assessLinks(sight: Sight): Assessment {
  const { facts, slow, network, store, all } = sight;
  if (slow) return refuted(`${slowWords(slow)}, which no network does`, { against: all });
  if (!isHeard(facts.picture, store)) return refuted(`PD does not hear of ${store}`, { against: [facts.pictureId] });
  const loss = leaderLossOf(facts.picture, store);
  const reporters = new Set([...network.about.map(({ reporter }) => reporter), ...network.lately]);
  if (reporters.size > 1 && network.about.length > 0) {
    if (!heardSince(sight)) return tooEarly(0.4, `no heartbeat of ${store} came since others find it slow`);
    if (loss?.known && loss.value.isLoss)
      return refuted(`${store} lost its leaders, which a slow link does not cost it`, { against: all });
    if (network.isSlow)
      return supported(0.8, `${blamedWords(network)}, while its heartbeats come and it keeps its leaders`, {
        for: all,
      });
  }
  if (network.with.size > 0 && isFresh(sight)) return tooEarly(0.4, 'other stores report with their next heartbeats');
  if (network.with.size > 0)
    return refuted(`only ${[...network.with].join(', ')} and ${store} are slow to each other`, { against: all });
  const words = `no store finds ${store} slow and it serves no slower than the others`;
  return assessUnexplained(sight, HOST_NETWORK) ?? refuted(words, { against: all });
}

/** One pair, both ways: acknowledgements are lost with the data, so the direction cannot be seen from here. */
function assessPair(sight: Sight): Assessment {
  const { facts, network, store, all } = sight;
  const [other] = network.with;
  if (other === undefined) return refuted(`no network score of ${store} has risen`, { against: all });
  if (network.with.size > 1)
    return refuted(`it is slow with ${[...network.with].join(', ')}, not with one store`, { against: all });
  const others = [...network.lately].filter((name) => name !== other);
  if (others.length > 0) return refuted(`${others.join(', ')} found it slow within the last minute`, { against: all });
  const theirs = networkTroubleOf(facts.picture, other);
  if (theirs.known && theirs.value.with.size > 1)
    return refuted(`${other} is slow with others, too: the trouble is there`, { against: all });
  if (isFresh(sight)) return tooEarly(0.4, 'other stores report with their next heartbeats');
  return supported(0.8, `only ${store} and ${other} find their network slow, all heartbeats come`, { for: all });
}

/** Slow by our own clients or deaf, with no score to say why: at first the scores are waited for. */
function assessUnexplained({ facts, store, port, network, all }: Sight, decidedBy: string): Assessment | null {
  const { picture } = facts;
  const service = serviceOf(picture, store);
  const isSlow = service?.isSlow ?? false;
  const isDeaf = !doesAnswer(port);
  if (!isSlow && !isDeaf) return null;
  const words = isDeaf
    ? `its port: ${reachWords(port)}, yet no score of it has risen`
    : `${store} serves in ${Math.round(service?.p50Ms ?? 0)} ms, the others in ${Math.round(service?.othersMs ?? 0)} ms; no score has risen`;
  const waitedMs = deafMs(picture, store);
  if (isDeaf && network.with.size === 0 && waitedMs <= SCORES_DUE * timesOf(picture).storeHeartbeatMs)
    return tooEarly(0.4, `${words} in ${ageWords(waitedMs)}`);
  return undecided(words, decidedBy, { for: all });
}

/** Heartbeats after which each peer has told how it finds a store. */
const SCORES_DUE = 3;

/** The newest rise is so young that other reporters may follow. */
function isFresh({ facts, network }: Sight): boolean {
  const ages = [...network.about, ...network.by].map(({ since }) => ageIn(facts.picture, since));
  return Math.min(...ages) <= 1.5 * timesOf(facts.picture).storeHeartbeatMs;
}

/** PD had a heartbeat after the first complaint that stands: it is not cut off. */
function heardSince({ facts, store, network }: Sight): boolean {
  const pd = storeNamed(facts.picture, store)?.pd;
  const heartbeat = pd?.known ? (pd.value?.lastHeartbeat ?? null) : null;
  const first = network.about.map(({ since }) => since).sort()[0];
  return heartbeat !== null && first !== undefined && heartbeat > first;
}

/** Far more than a status port takes on a busy machine. */
const LATE_MS = 300;

const isLate = (port: Reach): boolean => !doesAnswer(port) || (port.kind === 'answers' && port.ms >= LATE_MS);

function isHeard(picture: TikvPicture, name: Target): boolean {
  const store = storeNamed(picture, name);
  return store !== null && isFreshlyUp(picture, pdOpinionOf(picture, store));
}

const slowWords = ({ about, from, to }: ScoreRise): string => `slow_score of ${about} rose from ${from} to ${to}`;
const portWords = (port: Reach): string => `its status port: ${reachWords(port)}`;
const blamedWords = ({ about }: NetworkTrouble): string =>
  `network scores rose: ${about.map(({ reporter, to }) => `${reporter} ${to}`).join(', ')}`;
