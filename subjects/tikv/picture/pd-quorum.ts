import type { PdMember, TikvPicture } from '../picture.js';
import { reachWords } from './words.js';

/** Voters of the PD group and how many of them have to agree. */
export function pdMajority({ vitals }: TikvPicture): { readonly voters: readonly string[]; readonly need: number } {
  const { leadership, pd } = vitals;
  const voters = leadership.known ? leadership.value.members : pd.map(({ name }) => name);
  return { voters, need: Math.floor(voters.length / 2) + 1 };
}

/** Members whose etcd sees a quorum. */
export const membersInQuorum = ({ vitals }: TikvPicture): readonly PdMember[] =>
  vitals.pd.filter(({ quorum }) => quorum.known && quorum.value.healthy);

/** `pd-0 connection refused`, `pd-2 RAFT NO LEADER`. */
export function memberWords({ name, reach, quorum }: PdMember): string {
  if (quorum.known) return quorum.value.healthy ? `${name} in quorum` : `${name} ${quorum.value.reason || 'unhealthy'}`;
  return `${name} ${reach.known && reach.value.kind !== 'answers' ? reachWords(reach.value) : quorum.reason}`;
}
