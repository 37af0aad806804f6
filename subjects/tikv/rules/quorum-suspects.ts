import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Cure, Facts, Suspect } from '../../protocol.js';
import { pdNamed } from '../picture/look-up.js';
import { membersInQuorum, memberWords, pdMajority } from '../picture/pd-quorum.js';
import { witnessWords } from '../picture/words.js';
import type { TikvPicture, Witness } from '../picture.js';
import { askEtcdHealth, inspectNode, readLog } from '../services.js';
import { toldByHost } from './answers.js';
import { open, refuted, supported } from './assessment.js';
import { crashWords, lastWords } from './crash-loop.js';
import { bringBack } from './cures.js';
import { memberStopped } from './pd-suspects.js';

type TikvSuspect = Suspect<TikvPicture>;

/**
 * Too few members are left to agree: everything that PD says is old, and nothing can be changed through it. Its only
 * rival is that somebody took the members away on purpose, which the host knows.
 */
export const quorumSuspects = (picture: TikvPicture): readonly TikvSuspect[] => [
  quorumLost(picture),
  ...comesBack(picture).map(memberStopped),
];

export function quorumLost(picture: TikvPicture): TikvSuspect {
  const members = picture.vitals.pd.map(({ name }) => name);
  const cure = cureOf(picture);
  return {
    cause: { class: 'pd-quorum-lost', target: 'pd' },
    claim: 'a majority of PD is gone',
    looks: [
      ...members.map(inspectNode),
      ...members.map((name) => (witnessIn(picture, name)?.state === 'exited' ? readLog(name) : askEtcdHealth(name))),
    ],
    assess: (facts) => assessQuorum(facts, members),
    ...(cure ? { cure } : {}),
  };
}

function assessQuorum(facts: Facts<TikvPicture>, members: readonly Target[]): Assessment {
  const { voters, need } = pdMajority(facts.picture);
  const inQuorum = membersInQuorum(facts.picture).length;
  const seen = facts.picture.vitals.pd.map(memberWords).join(', ');
  if (inQuorum >= need)
    return refuted(`${inQuorum} of ${voters.length} members see a quorum`, { against: [facts.pictureId] });
  const hosts = members.map((member) => ({ member, host: toldByHost(facts, member) }));
  const gone = hosts.filter(({ host }) => host.value && host.value.state !== 'running');
  const grounds = { for: [facts.pictureId, ...gone.map(({ host }) => host.id)] };
  const words = gone.map(({ member, host }) => goneWords(facts, member, host.value)).join(', ');
  if (voters.length - gone.length < need) return supported(0.95, `${words}; ${seen}`, grounds);
  if (hosts.some(({ host }) => !host.value)) return open(0.5, `not all hosts were asked; ${seen}`, grounds);
  return open(0.5, `${voters.length - gone.length} PD processes run, yet they see no quorum (${seen})`, grounds);
}

function goneWords(facts: Facts<TikvPicture>, member: Target, witness: Witness | null): string {
  const crash = witness && crashWords(witness);
  const end = `${member} ${witness ? witnessWords(witness) : ''}`;
  return crash ? `${end} (${crash}; ${lastWords(facts, member).value ?? 'its log tells no error'})` : end;
}

/** Every member that died or was frozen; none when that would not be enough: then a person has to bring back others. */
function cureOf(picture: TikvPicture): Cure | null {
  const back = comesBack(picture);
  const running = picture.vitals.pd.filter(({ witness }) => witness.known && witness.value.state === 'running');
  if (back.length === 0 || running.length + back.length < pdMajority(picture).need) return null;
  return bringBack(back.map((member) => ({ member, isFrozen: witnessIn(picture, member)?.state === 'paused' })));
}

/** Members that nobody took away on purpose, and that a start may bring back. */
function comesBack(picture: TikvPicture): readonly Target[] {
  return picture.vitals.pd.map(({ name }) => name).filter((name) => isWanted(witnessIn(picture, name)));
}

const isWanted = (witness: Witness | null): boolean =>
  witness !== null &&
  (witness.state === 'paused' || (witness.state === 'exited' && !witness.stoppedByRequest && !crashWords(witness)));

function witnessIn(picture: TikvPicture, member: Target): Witness | null {
  const witness = pdNamed(picture, member)?.witness;
  return witness?.known ? witness.value : null;
}
