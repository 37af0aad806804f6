import { createHash } from 'node:crypto';

/** etcd mixes this into every member's id (PD: `initial-cluster-token`). */
const CLUSTER_TOKEN = 'pd-cluster';

/** One PD of the group. The group is fixed at the first start; from then on it can only shrink. */
export interface Member {
  readonly name: string;
  /** uint64 in decimal: it does not fit a JavaScript number. */
  readonly memberId: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
}

export interface MemberUrls {
  readonly name: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
}

/** The group in the order in which etcd lists it, which is by id and so differs from the order of the names. */
export function membersOf(urls: readonly MemberUrls[]): Member[] {
  return urls
    .map((urls) => ({ ...urls, memberId: memberId(urls.peerUrl) }))
    .sort((a, b) => (BigInt(a.memberId) < BigInt(b.memberId) ? -1 : 1));
}

/** Those who were not taken out of the group. */
export function remaining(members: readonly Member[], removed: readonly string[]): readonly Member[] {
  return members.filter(({ name }) => !removed.includes(name));
}

/** etcd's id of a member: the first 8 bytes of the SHA-1 of its peer URL and the token. */
function memberId(peerUrl: string): string {
  return createHash('sha1').update(peerUrl).update(CLUSTER_TOKEN).digest().readBigUInt64BE(0).toString();
}

/**
 * PD's way of naming a new cluster: unix seconds above 32 random bits.
 *
 * @returns uint64 in decimal
 */
export function newClusterId(options: { readonly unixSeconds: number; readonly random: number }): string {
  return ((BigInt(options.unixSeconds) << 32n) | BigInt(Math.floor(options.random * 2 ** 32))).toString();
}
