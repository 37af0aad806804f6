import type { Target } from '../../../src/domain/ids.js';
import type { Judged } from '../../protocol.js';
import { doesAnswer, pdNamed, reachOf, storeNamed, timesOf, witnessOf } from '../picture/look-up.js';
import { isFreshlyUp, pdOpinionOf, youthOfLeader } from '../picture/pd-opinion.js';
import { membersInQuorum, memberWords, pdMajority } from '../picture/pd-quorum.js';
import { ageWords, reachWords, witnessWords } from '../picture/words.js';
import type { TikvPicture } from '../picture.js';
import { no, unknown, yes } from './judged.js';

/** The host's witness shows a running process, neither ended nor frozen. */
export function witnessRuns(picture: TikvPicture, node: Target): Judged {
  const witness = witnessOf(picture, node);
  if (!witness.known) return unknown(`no witness of ${node}: ${witness.reason}`);
  const words = `the witness shows ${node} ${witnessWords(witness.value)}`;
  return witness.value.state === 'running' ? yes(words) : no(words);
}

/** Our own client gets an answer of the node's port. */
export function portAnswers(picture: TikvPicture, node: Target): Judged {
  const reach = reachOf(picture, node);
  if (!reach.known) return unknown(`our client did not ask ${node}: ${reach.reason}`);
  return doesAnswer(reach.value) ? yes(`${node} answers our client`) : no(`${node}: ${reachWords(reach.value)}`);
}

/** PD calls the store Up and its heartbeats are fresh. */
export function pdCallsUp(picture: TikvPicture, name: Target): Judged {
  const store = storeNamed(picture, name);
  if (!store) return unknown(`${name} is not in the picture`);
  const opinion = pdOpinionOf(picture, store);
  if (opinion.kind === 'unknown') return unknown(`${name}: ${opinion.why}`);
  if (opinion.kind === 'unlisted') return no(`PD does not list ${name}`);
  const age = opinion.silentMs === null ? 'without any heartbeat' : `heartbeat ${ageWords(opinion.silentMs)} ago`;
  const words = `PD calls ${name} ${opinion.store.state}, ${age}`;
  return isFreshlyUp(picture, opinion) ? yes(words) : no(words);
}

/** PD has heard of the process that runs now: its last heartbeat is younger than that process. */
export function heardSinceStart(picture: TikvPicture, name: Target): Judged {
  const store = storeNamed(picture, name);
  if (!store?.pd.known || !store.witness.known) return unknown(`start or heartbeat of ${name} is not known`);
  const heartbeat = store.pd.value?.lastHeartbeat ?? null;
  const isNewer = heartbeat !== null && heartbeat > store.witness.value.startedAt;
  const words = `heartbeat of the process that started at ${store.witness.value.startedAt}`;
  return isNewer ? yes(`PD had a ${words}`) : no(`PD had no ${words} yet`);
}

/** A majority of PD sees a quorum and its leader can be read. */
export function pdServes(picture: TikvPicture): Judged {
  const { leadership } = picture.vitals;
  if (!leadership.known) return no(`PD cannot be read: ${leadership.reason}`);
  const { voters, need } = pdMajority(picture);
  const count = membersInQuorum(picture).length;
  const words = `${count} of ${voters.length} PD members see a quorum, led by ${leadership.value.leader ?? 'nobody'}`;
  return count >= need && leadership.value.leader !== null ? yes(words) : no(words);
}

/** The host's witness shows enough PD processes running for a quorum. */
export function majorityRuns(picture: TikvPicture): Judged {
  const { voters, need } = pdMajority(picture);
  const verdicts = voters.map((voter) => witnessRuns(picture, voter).verdict);
  const count = verdicts.filter((verdict) => verdict === 'yes').length;
  const words = `the witness shows ${count} of ${voters.length} PD processes running`;
  if (count >= need) return yes(words);
  return verdicts.includes('unknown') ? unknown(words) : no(words);
}

/** This PD member answers and its etcd sees the quorum. */
export function memberInQuorum(picture: TikvPicture, name: Target): Judged {
  const member = pdNamed(picture, name);
  if (!member) return unknown(`${name} is not in the picture`);
  const words = memberWords(member);
  return member.quorum.known && member.quorum.value.healthy ? yes(words) : no(words);
}

/** The PD leader has led for so long that it must have had a heartbeat of every store. */
export function leaderKnowsStores(picture: TikvPicture): Judged {
  const youth = youthOfLeader(picture, timesOf(picture).disconnectedMs);
  return youth === null ? yes('the PD leader has led long enough to know the stores') : unknown(youth);
}
