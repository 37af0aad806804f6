import type { Invariant } from '../../protocol.js';
import { doesAnswer } from '../picture/look-up.js';
import { membersInQuorum, memberWords, pdMajority } from '../picture/pd-quorum.js';
import { reachWords } from '../picture/words.js';
import type { PdMember, TikvPicture } from '../picture.js';
import { broken, checkEach, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** A PD that is gone costs the group its tolerance, although nobody else notices. */
export const pdMembers: Invariant<TikvPicture> = {
  name: 'pd-members',
  title: 'each PD answers',
  use: 'files',
  check: (picture) =>
    checkEach('pd-members', picture.vitals.pd, (member) => (isGroupDown(picture) ? UNKNOWN : memberFinding(member))),
};

/** "PD unreadable" is a violation of its own. Everything drawn from PD is unknown meanwhile, so it clears nothing. */
export const pdQuorum: Invariant<TikvPicture> = {
  name: 'pd-quorum',
  title: 'PD has a quorum and can be read',
  use: 'files',
  check: (picture) => checkOf('pd-quorum', 'pd', quorumFinding(picture)),
};

/** A quorum without a PD leader, or with one that etcd does not agree on, serves nobody. */
export const pdLeader: Invariant<TikvPicture> = {
  name: 'pd-leader',
  title: 'PD has one leader',
  use: 'files',
  check: (picture) => checkOf('pd-leader', 'pd', leaderFinding(picture)),
};

/** Too few answer for a quorum: then that is the trouble, and the members are named by it, not one by one. */
function isGroupDown(picture: TikvPicture): boolean {
  const deaf = picture.vitals.pd.filter(({ reach }) => reach.known && !doesAnswer(reach.value));
  const { voters, need } = pdMajority(picture);
  return voters.length - deaf.length < need;
}

function memberFinding({ name, reach }: PdMember): Finding {
  if (!reach.known) return UNKNOWN;
  if (doesAnswer(reach.value)) return HOLDS;
  return broken('high', `${name} does not answer (${reachWords(reach.value)})`);
}

function quorumFinding(picture: TikvPicture): Finding {
  const { leadership, pd } = picture.vitals;
  const { voters, need } = pdMajority(picture);
  const inQuorum = membersInQuorum(picture).length;
  if (inQuorum >= need && leadership.known) return HOLDS;
  // A member that we may have failed to ask says nothing against the quorum, and nothing for it.
  const unasked = pd.filter(({ quorum, reach }) => !quorum.known && !reach.known).length;
  if (unasked > 0 && inQuorum + unasked >= need) return UNKNOWN;
  if (!leadership.known && inQuorum >= need)
    return broken('critical', `PD has a quorum but cannot be read (${leadership.reason})`);
  return broken(
    'critical',
    `PD has no quorum: ${inQuorum} of ${voters.length} see one, ${need} are needed (${pd.map(memberWords).join(', ')})`,
  );
}

function leaderFinding({ vitals: { leadership } }: TikvPicture): Finding {
  if (!leadership.known) return UNKNOWN;
  const { leader, etcdLeader } = leadership.value;
  if (leader === null) return broken('critical', 'PD has no leader');
  if (leader === etcdLeader) return HOLDS;
  return broken('critical', `${leader} leads PD, but etcd follows ${etcdLeader ?? 'nobody'}`);
}
