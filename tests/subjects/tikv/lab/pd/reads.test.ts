import { describe, expect, it } from '@jest/globals';
import type { PeerBody, PeerMessage } from '../../../../../subjects/tikv/lab/pd/peer-messages.js';
import { Reads } from '../../../../../subjects/tikv/lab/pd/reads.js';
import type { RaftMember } from '../../../../../subjects/tikv/lab/raft/member.js';

type Sight = Pick<RaftMember, 'id' | 'role' | 'leader' | 'term' | 'commitIndex' | 'appliedIndex' | 'readIndex'>;

/** `pd-0` of three, as its Raft core would look; what it sends is kept. */
function pd0(sight: Partial<Sight>) {
  const raft = {
    id: 'pd-0',
    role: 'leader',
    leader: 'pd-0',
    term: 3,
    commitIndex: 9,
    appliedIndex: 9,
    readIndex: () => 9,
    ...sight,
  };
  const sent: ({ to: string } & PeerBody)[] = [];
  const send = (to: string, body: PeerBody) => void sent.push({ to, ...body });
  const reads = new Reads({
    raft: raft as unknown as RaftMember,
    others: () => ['pd-1', 'pd-2'],
    send,
    nowMs: () => 1_000,
  });
  const hear = (message: PeerMessage) => reads.hear(message);
  return { raft, reads, sent, hear };
}

/** Has the promise an answer by now? */
async function answered(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol();
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe('linearizable reads', () => {
  it('are confirmed to a leader by one other of three, in the same term', async () => {
    const { reads, sent, hear } = pd0({});
    const confirmed = reads.confirm();
    expect(sent).toEqual([
      { to: 'pd-1', kind: 'confirm', round: 0, term: 3 },
      { to: 'pd-2', kind: 'confirm', round: 0, term: 3 },
    ]);
    hear({ from: 'pd-1', kind: 'confirmed', round: 0, term: 2 });
    expect(await answered(confirmed)).toBe(false);
    hear({ from: 'pd-2', kind: 'confirmed', round: 0, term: 3 });
    expect(await confirmed).toEqual({ askedAtMs: 1_000, index: 9 });
  });

  it('are not confirmed twice by the same member', async () => {
    const { reads, hear } = pd0({});
    const confirmed = reads.confirm();
    hear({ from: 'pd-0', kind: 'confirmed', round: 0, term: 3 });
    expect(await answered(confirmed)).toBe(false);
  });

  it('wait for a new leader to commit something of its own term', () => {
    const { raft, reads, sent } = pd0({ readIndex: () => null });
    void reads.confirm();
    expect(sent).toEqual([]);
    raft.readIndex = () => 9;
    void reads.confirm();
    expect(sent).toHaveLength(2);
  });

  it('are refused by a follower that has another leader or term', () => {
    const { sent, hear } = pd0({ role: 'follower', leader: 'pd-1' });
    hear({ from: 'pd-2', kind: 'confirm', round: 7, term: 3 });
    hear({ from: 'pd-1', kind: 'confirm', round: 7, term: 2 });
    expect(sent).toEqual([]);
    hear({ from: 'pd-1', kind: 'confirm', round: 7, term: 3 });
    expect(sent).toEqual([{ to: 'pd-1', kind: 'confirmed', round: 7, term: 3 }]);
  });

  it('of a follower end when it has applied what the leader had committed', async () => {
    const { raft, reads, sent, hear } = pd0({ role: 'follower', leader: 'pd-1', appliedIndex: 8 });
    const read = reads.read(60_000);
    expect(sent).toEqual([{ to: 'pd-1', kind: 'read', id: 0 }]);
    hear({ from: 'pd-1', kind: 'read-at', id: 0, index: 9 });
    expect(await answered(read)).toBe(false);
    raft.appliedIndex = 9;
    reads.retry();
    expect(await read).toBe(true);
  });

  it('of a follower are asked again of the next leader', () => {
    const { raft, reads, sent } = pd0({ role: 'follower', leader: 'pd-1' });
    const read = reads.read(1);
    raft.leader = 'pd-2';
    reads.retry();
    expect(sent.map(({ to }) => to)).toEqual(['pd-1', 'pd-2']);
    return expect(read).resolves.toBe(false);
  });
});
