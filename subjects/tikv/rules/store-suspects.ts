import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Facts, Suspect } from '../../protocol.js';
import type { CauseName } from '../causes.js';
import { ageIn, doesAnswer, storeNamed, timesOf } from '../picture/look-up.js';
import { isFreshlyUp, type PdOpinion, pdOpinionOf } from '../picture/pd-opinion.js';
import { deafMs, leaderLossOf, networkTroubleOf } from '../picture/trends.js';
import { ageWords, reachWords, witnessWords } from '../picture/words.js';
import type { TikvPicture, Witness } from '../picture.js';
import { askPdAboutStore, askStatusPort, inspectNode, readLog } from '../services.js';
import { citationOf, type Told, toldByHost, toldByLog, toldByPort } from './answers.js';
import { open, refuted, supported, tooEarly, undecided } from './assessment.js';
import { crashLoop, crashWords } from './crash-loop.js';
import { resume } from './cures.js';
import { grpcPaused, storeOffline } from './serving-suspects.js';
import { HOST_NETWORK, slowSuspects } from './slow-suspects.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

const cause = (name: CauseName, target: Target) => ({ class: name, target });

/**
 * Everything that keeps one store from serving, the likeliest first. They exclude each other. A process that the host
 * shows ended or stopped cannot be slow, so then nothing else is asked.
 */
export function storeSuspects(store: Target, picture: TikvPicture): readonly TikvSuspect[] {
  const witness = storeNamed(picture, store)?.witness;
  const isOver = witness?.known && witness.value.state !== 'running';
  return [
    processDead(store, picture),
    crashLoop(store),
    stoppedByRequest(store),
    processFrozen(store),
    linkLoss(store, picture),
    ...(isOver ? [] : [storeOffline(store, picture), grpcPaused(store), ...slowSuspects(store, picture)]),
  ];
}

function processDead(store: Target, picture: TikvPicture): TikvSuspect {
  return {
    cause: cause('process-dead', store),
    claim: `the process of ${store} died`,
    looks: [inspectNode(store), readLog(store), askStatusPort(store), askPdAboutStore(pdIdOf(picture, store))],
    assess: (facts) => assessDead(facts, store),
    cure: {
      title: `start the store ${store}`,
      wouldHaveRefuted: `a process of ${store} that runs, or that was stopped by request`,
      effect: `${store} runs again, its regions get their third copy back, and PD calls it Up with its first heartbeat`,
      risk: 'none for the others: starting takes nothing away; if it dies again, nothing is worse than before',
      steps: [{ kind: 'action', action: 'start-store', target: store }],
    },
  };
}

function assessDead(facts: TikvFacts, store: Target): Assessment {
  const host = toldByHost(facts, store);
  if (!host.value) return open(0.4, host.why);
  if (host.value.state !== 'exited') return refuted(hostSays(store, host.value), { against: [host.id] });
  if (host.value.stoppedByRequest) return refuted(`${store} was stopped by request`, { against: [host.id] });
  const crash = crashWords(host.value);
  if (crash !== null) return refuted(`no start helps: ${crash}`, { against: [host.id] });
  const port = toldByPort(facts, store);
  if (port.value && doesAnswer(port.value))
    return open(0.4, `the host says that ${store} ended, yet its port answers`, { for: [host.id], against: [port.id] });
  const log = toldByLog(facts, store);
  const aside = log.value === 'ends abruptly' ? ', its log ends abruptly' : '';
  const reach = port.value ? `, its port: ${reachWords(port.value)}` : '';
  return supported(port.value ? 0.95 : 0.85, `${hostSays(store, host.value)}${reach}${aside}`, {
    for: [host.id, port.id, log.value === 'ends abruptly' ? log.id : null],
  });
}

function stoppedByRequest(store: Target): TikvSuspect {
  return {
    cause: cause('stopped-by-request', store),
    claim: `somebody stopped ${store} on purpose`,
    looks: [inspectNode(store)],
    assess: (facts) => {
      const host = toldByHost(facts, store);
      if (!host.value) return open(0.2, host.why);
      const words = hostSays(store, host.value);
      const isStopped = host.value.state === 'exited' && host.value.stoppedByRequest;
      return isStopped ? supported(0.97, words, { for: [host.id] }) : refuted(words, { against: [host.id] });
    },
    ending: {
      conclusion: 'expected',
      expectation: 'planned-stop',
      why: `${store} was stopped by request; whoever stopped it starts it again`,
    },
  };
}

function processFrozen(store: Target): TikvSuspect {
  return {
    cause: cause('process-frozen', store),
    claim: `the process of ${store} is there but does not run`,
    looks: [inspectNode(store), askStatusPort(store)],
    assess: (facts) => assessFrozen(facts, store),
    cure: resume(store, 'the status port of a process that runs'),
  };
}

/** Heartbeats for which a frozen process is left alone: a debugger or a snapshot lets it go on by itself. */
const PATIENCE = 4;

function assessFrozen(facts: TikvFacts, store: Target): Assessment {
  const host = toldByHost(facts, store);
  if (!host.value) return open(0.3, host.why);
  const words = hostSays(store, host.value);
  if (host.value.state === 'exited')
    return refuted(`${words}: there is no process to be frozen`, { against: [host.id] });
  const port = toldByPort(facts, store);
  if (!port.value) return open(0.3, port.why, { for: [host.id] });
  const both = [host.id, port.id];
  const reach = `its port: ${reachWords(port.value)}`;
  if (doesAnswer(port.value)) return refuted(`${words} and ${reach}`, { against: both });
  if (host.value.state === 'paused') {
    const waitedMs = deafMs(facts.picture, store);
    if (waitedMs < PATIENCE * timesOf(facts.picture).storeHeartbeatMs)
      return tooEarly(0.6, `${words}, silent for ${ageWords(waitedMs)}: it may go on by itself`, { for: both });
    return supported(0.95, `${words}, ${reach}`, { for: both });
  }
  if (isYoung(facts.picture, host.value))
    return tooEarly(0.2, `${youthOf(facts.picture, store, host.value)}, ${reach}`);
  const beat = heartbeatWithin(facts.picture, store, timesOf(facts.picture).storeHeartbeatMs);
  if (beat !== null && beat < deafMs(facts.picture, store))
    return refuted(`${words}, and it sent a heartbeat ${ageWords(beat)} ago while its port was silent: it runs`, {
      against: [host.id, facts.pictureId],
    });
  return open(0.4, `${words}, but ${reach}: starved, or frozen in a way that the host does not show`, {
    for: [port.id],
  });
}

function linkLoss(store: Target, picture: TikvPicture): TikvSuspect {
  return {
    cause: cause('link-loss', store),
    claim: `${store} runs but is cut off`,
    looks: [inspectNode(store), askStatusPort(store), askPdAboutStore(pdIdOf(picture, store))],
    assess: (facts) => assessLink(facts, store),
  };
}

function assessLink(facts: TikvFacts, store: Target): Assessment {
  const host = toldByHost(facts, store);
  if (!host.value) return open(0.3, host.why);
  const words = hostSays(store, host.value);
  if (host.value.state !== 'running') return refuted(`${words}: the links are not to blame`, { against: [host.id] });
  const port = toldByPort(facts, store);
  if (!port.value) return open(0.3, port.why);
  const opinion = opinionOn(facts.picture, store);
  if (opinion.kind === 'unknown') return open(0.3, opinion.why);
  if (isFreshlyUp(facts.picture, opinion)) return assessHeard(facts, store, port);
  if (isYoung(facts.picture, host.value)) return tooEarly(0.2, youthOf(facts.picture, store, host.value));
  const silence = silenceOf(opinion);
  if (silence === null)
    return refuted(`PD does not wait for ${store}: it is removed or being removed`, {
      against: [facts.pictureId, pdLook(facts, store)],
    });
  const grounds = { for: [host.id, port.id, facts.pictureId, pdLook(facts, store)] };
  if (doesAnswer(port.value)) return supported(0.85, `${words} and its port answers, yet ${silence}`, grounds);
  if (port.value.kind === 'silent' && !port.value.connected)
    return supported(0.7, `${words}, yet neither our client gets a connection nor ${silence}`, grounds);
  return open(0.3, `${words}, its port: ${reachWords(port.value)}, and ${silence}`, grounds);
}

/** PD hears of it. Peers that find it slow may mean a cut that PD does not know of yet, or no cut at all. */
function assessHeard(facts: TikvFacts, store: Target, port: Told<unknown>): Assessment {
  const { picture } = facts;
  const trouble = networkTroubleOf(picture, store);
  const grounds = { against: [facts.pictureId, port.id, pdLook(facts, store)] };
  const heard = `PD has fresh heartbeats of ${store}`;
  if (!trouble.known) return open(0.2, `${heard}; how its peers find it: ${trouble.reason}`);
  const others = [...trouble.value.with];
  if (others.length === 0) return refuted(`${heard} and no store finds its network slow lately`, grounds);
  if (others.length === 1) return refuted(`${heard} and only ${others[0]} and it find their network slow`, grounds);
  const beat = heartbeatWithin(picture, store, timesOf(picture).storeHeartbeatMs);
  if (beat === null) return tooEarly(0.4, `its peers find ${store} slow and its heartbeat is due`);
  const loss = leaderLossOf(picture, store);
  if (loss?.known && !loss.value.isLoss && loss.value.now > 0)
    return refuted(`${heard} and it keeps its ${loss.value.now} leaders, so it is not cut off`, grounds);
  return undecided(`${heard}, yet its peers find it slow and it leads nothing`, HOST_NETWORK, {
    for: [facts.pictureId],
  });
}

/** Age of the last heartbeat; `null` when it is older than that, or not known. */
function heartbeatWithin(picture: TikvPicture, store: Target, withinMs: number): number | null {
  const opinion = opinionOn(picture, store);
  if (opinion.kind !== 'listed' || opinion.silentMs === null) return null;
  return opinion.silentMs <= withinMs ? opinion.silentMs : null;
}

/** What PD says of a store that should be heard of; `null` when PD has another reason not to call it Up. */
function silenceOf(opinion: PdOpinion): string | null {
  if (opinion.kind !== 'listed' || opinion.store.state === 'Offline' || opinion.store.state === 'Tombstone')
    return null;
  const { state, leaders, pendingPeers } = opinion.store;
  const age = opinion.silentMs === null ? 'ever' : `for ${ageWords(opinion.silentMs)}`;
  const kept = leaders > 0 && pendingPeers === 0;
  const reach = kept ? `it keeps its ${leaders} leaders, so only its way to PD is cut` : 'its leaders went elsewhere';
  return `PD calls it ${state}, without a heartbeat ${age}; ${reach}`;
}

const hostSays = (store: Target, witness: Witness): string => `the host shows ${store} ${witnessWords(witness)}`;

function isYoung(picture: TikvPicture, { startedAt }: Witness): boolean {
  return ageIn(picture, startedAt) <= 2 * timesOf(picture).storeHeartbeatMs;
}

function youthOf(picture: TikvPicture, store: Target, { startedAt }: Witness): string {
  return `${store} started ${ageWords(ageIn(picture, startedAt))} ago and its first heartbeat is not due yet`;
}

function opinionOn(picture: TikvPicture, name: Target): PdOpinion {
  const store = storeNamed(picture, name);
  return store ? pdOpinionOf(picture, store) : { kind: 'unknown', why: `${name} is not in the picture` };
}

function pdIdOf(picture: TikvPicture, name: Target): string | null {
  const pd = storeNamed(picture, name)?.pd;
  return pd?.known ? (pd.value?.id ?? null) : null;
}

function pdLook(facts: TikvFacts, store: Target) {
  return citationOf(facts, askPdAboutStore(pdIdOf(facts.picture, store)));
}
