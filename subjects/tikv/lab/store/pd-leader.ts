import { createPdStub, type PdStub, type PdStubOptions } from './pd-stub.js';

/** The PD leader as some member names it: no proof that it still serves. */
export interface NamedLeader {
  readonly clusterId: string;
  readonly url: string;
  /** Client URLs of all members that the answer listed. */
  readonly members: readonly string[];
}

export interface FindLeaderOptions extends Omit<PdStubOptions, 'url'> {
  /** Client URLs of every member known so far. */
  readonly members: readonly string[];
  /** Asked only if nobody else names a leader: it may be frozen, or believe in itself longer than the others do. */
  readonly oldLeader: string | null;
}

/** Asks the members who leads; null when none of them knows. */
export async function findLeader(options: FindLeaderOptions): Promise<NamedLeader | null> {
  const others = options.members.filter((url) => url !== options.oldLeader);
  const named = await firstAnswer(others.map((url) => askMember(url, options)));
  if (named !== null || options.oldLeader === null) return named;
  return firstAnswer([askMember(options.oldLeader, options)]);
}

async function askMember(url: string, options: FindLeaderOptions): Promise<NamedLeader> {
  const stub = createPdStub({ ...options, url });
  try {
    return await whoLeads(stub);
  } finally {
    stub.close();
  }
}

/** A member without quorum answers too, but names no leader. */
async function whoLeads(stub: PdStub): Promise<NamedLeader> {
  const { header, leader, members } = await stub.call('GetMembers', {});
  const url = leader?.client_urls[0];
  if (header === null || header.error !== null || url === undefined) throw new Error('names no leader');
  return { clusterId: header.cluster_id, url, members: members.flatMap((member) => member.client_urls) };
}

function firstAnswer(answers: readonly Promise<NamedLeader>[]): Promise<NamedLeader | null> {
  return Promise.any(answers).catch(() => null);
}
