import { describe, expect, it } from '@jest/globals';
import { Leadership, type Sight } from '../../../../../subjects/tikv/lab/pd/leadership.js';
import { PROFILES, type ProfileName } from '../../../../../subjects/tikv/profiles.js';

const { pdLeaseMs, pdElectionMs } = PROFILES.real.cluster;
const LEADS = { isRaftLeader: true, raftLeader: 'pd-0', raftTerm: 3 };
const FOLLOWS = { isRaftLeader: false, raftLeader: 'pd-1', raftTerm: 4 };
const ALONE = { isRaftLeader: false, raftLeader: null, raftTerm: 4 };
const OTHERS_KEY = { member: 'pd-1', lease: 'theirs' };

const pd0 = () => new Leadership({ self: 'pd-0', times: PROFILES.real.cluster });

/** pd-0 after it took the key at time 0. */
function holder(): { leadership: Leadership; at: (sight: Partial<Sight>) => Sight } {
  const leadership = pd0();
  const wish = leadership.wish({ ...LEADS, nowMs: 0, key: null });
  if (wish.kind !== 'take') throw new Error(`wished ${wish.kind}`);
  leadership.took(wish.key, 0);
  return { leadership, at: (sight) => ({ ...LEADS, nowMs: 0, key: wish.key, ...sight }) };
}

describe("PD's leadership", () => {
  it('is sought by the Raft leader only, and only while nobody has the key', () => {
    expect(pd0().wish({ ...LEADS, nowMs: 0, key: null }).kind).toBe('take');
    expect(pd0().wish({ ...FOLLOWS, nowMs: 0, key: null }).kind).toBe('nothing');
    expect(pd0().wish({ ...LEADS, nowMs: 0, key: OTHERS_KEY }).kind).toBe('nothing');
  });

  it.each(['real', 'fast'] as ProfileName[])('outlives a dead leader by lease and election time in %s', (name) => {
    const times = PROFILES[name].cluster;
    const leadership = new Leadership({ self: 'pd-0', times });
    const wishAt = (nowMs: number) => leadership.wish({ ...LEADS, nowMs, key: OTHERS_KEY }).kind;
    // A follower calls an election after one to two election times of silence.
    const [soonest, latest] = [times.pdElectionMs, 2 * times.pdElectionMs].map((elected) => {
      const other = new Leadership({ self: 'pd-0', times });
      other.wish({ ...LEADS, nowMs: elected, key: OTHERS_KEY });
      const named = Array.from({ length: 20_000 }, (_, ms) => ms).find(
        (ms) => ms >= elected && other.wish({ ...LEADS, nowMs: ms, key: OTHERS_KEY }).kind === 'leave',
      );
      return (named ?? Number.NaN) / (name === 'real' ? 1 : 0.2);
    });
    expect(wishAt(0)).toBe('nothing');
    expect([soonest, latest]).toEqual([11_000, 14_000]);
  });

  it('ends with the lease when no majority renews it, and the own name is not given any more', () => {
    const { leadership, at } = holder();
    expect(leadership.serves(at({ ...ALONE, nowMs: pdLeaseMs - 1 }))).toBe(true);
    expect(leadership.serves(at({ ...ALONE, nowMs: pdLeaseMs }))).toBe(false);
    expect(leadership.named(at({ ...ALONE, nowMs: pdLeaseMs }))).toBeNull();
  });

  it('goes on with a renewal, counted from when it was asked for', () => {
    const { leadership, at } = holder();
    leadership.renewed(2_000);
    expect(leadership.serves(at({ nowMs: 2_000 + pdLeaseMs - 1 }))).toBe(true);
    expect(leadership.serves(at({ nowMs: 2_000 + pdLeaseMs }))).toBe(false);
    leadership.renewed(2_000 + pdLeaseMs);
    expect(leadership.serves(at({ nowMs: 2_000 + pdLeaseMs }))).toBe(false);
  });

  it('ends at once when another member leads the Raft group, and gives the key back', () => {
    const { leadership, at } = holder();
    expect(leadership.serves(at({ ...FOLLOWS, nowMs: 1 }))).toBe(false);
    expect(leadership.wish(at({ ...FOLLOWS, nowMs: 1 })).kind).toBe('leave');
  });

  it('does not trust a key of its own from an earlier life', () => {
    const key = { member: 'pd-0', lease: 'before the restart' };
    expect(pd0().named({ ...FOLLOWS, nowMs: 0, key })).toBeNull();
    expect(pd0().wish({ ...LEADS, nowMs: 0, key })).toEqual({ kind: 'leave', key });
  });

  it('lets followers name a dead leader as long as its key is there', () => {
    const leadership = pd0();
    expect(leadership.named({ ...ALONE, nowMs: 10 * (pdLeaseMs + pdElectionMs), key: OTHERS_KEY })).toBe('pd-1');
  });
});
