import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Facts, Suspect } from '../../protocol.js';
import { doesAnswer, pdNamed, timesOf } from '../picture/look-up.js';
import { youthOfLeader } from '../picture/pd-opinion.js';
import { witnessWords } from '../picture/words.js';
import type { TikvPicture } from '../picture.js';
import { askEtcdHealth, askPdMembers, inspectNode } from '../services.js';
import { citationOf, toldByHost } from './answers.js';
import { open, refuted, supported, tooEarly } from './assessment.js';
import { crashLoop, crashWords } from './crash-loop.js';
import { resume, startMember } from './cures.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

/** PD's own memory as the culprit: a new leader knows no store. Time cures it. */
export function pdStale(): TikvSuspect {
  return {
    cause: { class: 'pd-stale', target: 'pd' },
    claim: 'a new PD leader does not know the stores yet',
    looks: [askPdMembers()],
    assess: (facts) => assessStale(facts),
  };
}

function assessStale(facts: TikvFacts): Assessment {
  const { leadership } = facts.picture.vitals;
  const grounds = [facts.pictureId, citationOf(facts, askPdMembers())];
  if (!leadership.known) return open(0.2, `PD unreadable: ${leadership.reason}`);
  const youth = youthOfLeader(facts.picture, timesOf(facts.picture).disconnectedMs);
  if (youth !== null) return tooEarly(0.5, youth, { for: grounds });
  return refuted(`${leadership.value.leader ?? 'nobody'} leads PD and no change of leader was seen lately`, {
    against: grounds,
  });
}

/** One member is gone while the others serve. */
export function memberSuspects(member: Target): readonly TikvSuspect[] {
  return [
    {
      cause: { class: 'pd-member-dead', target: member },
      claim: `the process of ${member} died`,
      looks: [inspectNode(member), askEtcdHealth(member)],
      assess: (facts) => assessMemberDead(facts, member),
      cure: startMember(member),
    },
    {
      cause: { class: 'process-frozen', target: member },
      claim: `the process of ${member} is there but does not run`,
      looks: [inspectNode(member)],
      assess: (facts) => assessMemberFrozen(facts, member),
      cure: resume(member, 'an answer of its client port'),
    },
    crashLoop(member),
    memberStopped(member),
  ];
}

export function memberStopped(member: Target): TikvSuspect {
  return {
    cause: { class: 'stopped-by-request', target: member },
    claim: `somebody stopped ${member} on purpose`,
    looks: [inspectNode(member)],
    assess: (facts) => assessMemberStopped(facts, member),
    ending: {
      conclusion: 'expected',
      expectation: 'planned-stop',
      why: `${member} was stopped by request; whoever stopped it starts it again`,
    },
  };
}

function assessMemberDead(facts: TikvFacts, member: Target): Assessment {
  const host = toldByHost(facts, member);
  if (!host.value) return open(0.4, host.why);
  const words = `the host shows ${member} ${witnessWords(host.value)}`;
  const isDead = host.value.state === 'exited' && !host.value.stoppedByRequest;
  if (!isDead) return refuted(words, { against: [host.id] });
  const crash = crashWords(host.value);
  if (crash !== null) return refuted(`no start helps: ${crash}`, { against: [host.id] });
  const seen = pdNamed(facts.picture, member);
  if (seen?.reach.known && doesAnswer(seen.reach.value))
    return open(0.4, `${words}, yet it answers our client`, { for: [host.id], against: [facts.pictureId] });
  return supported(0.95, words, { for: [host.id, facts.pictureId] });
}

function assessMemberFrozen(facts: TikvFacts, member: Target): Assessment {
  const host = toldByHost(facts, member);
  if (!host.value) return open(0.3, host.why);
  const words = `the host shows ${member} ${witnessWords(host.value)}`;
  if (host.value.state === 'paused') return supported(0.95, words, { for: [host.id, facts.pictureId] });
  if (host.value.state === 'exited') return refuted(words, { against: [host.id] });
  const seen = pdNamed(facts.picture, member);
  if (seen?.reach.known && doesAnswer(seen.reach.value))
    return refuted(`${words} and it answers our client`, { against: [host.id, facts.pictureId] });
  return open(0.4, `${words}, but it does not answer our client`, { for: [facts.pictureId] });
}

function assessMemberStopped(facts: TikvFacts, member: Target): Assessment {
  const host = toldByHost(facts, member);
  if (!host.value) return open(0.2, host.why);
  const words = `the host shows ${member} ${witnessWords(host.value)}`;
  const isStopped = host.value.state === 'exited' && host.value.stoppedByRequest;
  return isStopped ? supported(0.97, words, { for: [host.id] }) : refuted(words, { against: [host.id] });
}
