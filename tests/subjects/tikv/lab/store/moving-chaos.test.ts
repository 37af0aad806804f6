import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { PeerMeta, RegionMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import type { PeerChange } from '../../../../../subjects/tikv/lab/store/region-change.js';
import type { RegionPeer } from '../../../../../subjects/tikv/lab/store/region-peer.js';
import { until } from '../../../../support/until.js';
import { rolesOf, StoresInProcess } from './stores-in-process.js';

const STORES = [1, 2, 3, 4, 5];
const KEYS = ['-a', '-b', '-c'];
const TROUBLE_MS = 3_000;

let stores: StoresInProcess | undefined;
afterEach(() => stores?.stop());

/** Numbers in [0, 1) from a seed: what happens is drawn from it, although not exactly when. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Written {
  readonly regionId: number;
  readonly suffix: string;
  attempted: number;
  acknowledged: number;
}

/** One run: clients that count upwards, an operator that moves peers, and somebody who kills stores and cuts cables. */
class Trouble {
  readonly written: Written[];
  readonly known = new Map<number, RegionMeta>();
  moves = 0;
  #over = false;

  constructor(
    readonly stores: StoresInProcess,
    readonly random: () => number,
  ) {
    const ids = stores.layout.map(({ meta }) => meta.id);
    this.written = ids.flatMap((regionId) =>
      KEYS.map((suffix): Written => ({ regionId, suffix, attempted: 0, acknowledged: 0 })),
    );
    stores.pd = (regionId) => this.known.get(regionId) ?? null;
  }

  async run(): Promise<void> {
    const everybody = [this.#operate(), this.#disturb(), ...this.written.map((key) => this.#write(key))];
    await sleep(TROUBLE_MS);
    this.#over = true;
    await Promise.all(everybody);
  }

  /** The newest word of a leader about its region. */
  look(regionId: number): RegionPeer | undefined {
    const serving = this.stores.running
      .flatMap((id) => this.stores.peer(id, regionId) ?? [])
      .filter(({ isServing }) => isServing);
    const [leader] = serving.toSorted((a, b) => b.node.term - a.node.term);
    const before = this.known.get(regionId);
    if (leader && leader.meta.confVer > (before?.confVer ?? 0)) {
      this.moves += 1;
      this.known.set(regionId, leader.meta);
    }
    return leader;
  }

  async #write(key: Written): Promise<void> {
    const { regionId, suffix } = key;
    while (!this.#over) {
      await sleep(4);
      const leader = this.look(regionId);
      if (leader === undefined) continue;
      const value = key.attempted + 1;
      key.attempted = value;
      const command = { key: this.stores.key(regionId, suffix), value: String(value) };
      // A crashed process answers nobody.
      const result = await Promise.race([this.stores.raft(leader.storeId).write(regionId, command), sleep(400, null)]);
      if (result?.ok) key.acknowledged = value;
    }
  }

  async #operate(): Promise<void> {
    while (!this.#over) {
      await sleep(15);
      for (const { meta } of this.stores.layout) {
        const leader = this.look(meta.id);
        if (leader !== undefined) this.#step(leader);
      }
    }
  }

  #step(leader: RegionPeer): void {
    const { meta, peerId, regionId, storeId } = leader;
    const raft = this.stores.raft(storeId);
    const at = { ...meta, regionId, leader: peerId };
    const others = meta.peers.filter(({ id }) => id !== peerId);
    if (this.random() < 0.2) return raft.obey({ ...at, kind: 'transfer leader', targets: [this.#any(others)] });
    raft.obey({ ...at, kind: 'change peer', changes: this.#wish(meta, others) });
  }

  /** What is refused does no harm, so the wishes need not be wise. */
  #wish(meta: RegionMeta, others: readonly PeerMeta[]): PeerChange[] {
    const learners = others.filter(({ role }) => role === 'Learner');
    const voters = others.filter(({ role }) => role === 'Voter');
    const free = STORES.filter((id) => !meta.peers.some(({ storeId }) => storeId === id));
    const draw = this.random();
    if (meta.peers.some(({ role }) => role === 'IncomingVoter' || role === 'DemotingVoter')) return [];
    if (learners.length > 0 && draw < 0.3) return [{ kind: 'remove', peer: this.#any(learners) }];
    if (learners.length > 0 && voters.length > 0 && draw < 0.7) {
      return [
        { kind: 'add-voter', peer: this.#any(learners) },
        { kind: 'add-learner', peer: this.#any(voters) },
      ];
    }
    if (learners.length > 0 && draw < 0.8) return [{ kind: 'add-voter', peer: this.#any(learners) }];
    if (voters.length > 2) return [{ kind: 'remove', peer: this.#any(voters) }];
    if (free.length === 0) return [];
    return [{ kind: 'add-learner', peer: { id: this.stores.newPeerId(), storeId: this.#any(free) } }];
  }

  async #disturb(): Promise<void> {
    while (!this.#over) {
      await sleep(50 + this.random() * 150);
      const victims = this.random() < 0.1 ? STORES : [this.#any(STORES)];
      const isCut = this.random() < 0.4;
      for (const id of victims) isCut ? this.stores.cutOff.add(id) : this.stores.crash(id);
      await sleep(30 + this.random() * 200);
      for (const id of victims) isCut ? this.stores.cutOff.delete(id) : this.stores.boot(id);
    }
  }

  #any<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
}

describe('stores that are killed and cut off while their peers move', () => {
  it.each([1, 2, 3])(
    'lose no acknowledged write, agree in the end, and keep no peer too many (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      stores = await StoresInProcess.start({ storeIds: STORES, regions: 2, tickMs: 5, random });
      const trouble = new Trouble(stores, random);
      await trouble.run();

      const all = stores;
      const wait = { deadlineMs: 20_000, everyMs: 10 };
      for (const { regionId, suffix, acknowledged, attempted } of trouble.written) {
        await all.put(regionId, '-end', 'of the trouble');
        const value = Number((await all.get(regionId, suffix)).value);
        expect(value).toBeGreaterThanOrEqual(acknowledged);
        expect(value).toBeLessThanOrEqual(attempted);
      }
      for (const { meta } of all.layout) {
        await until(
          `the members of region ${meta.id} agree, and nobody else holds it`,
          () => {
            const leader = trouble.look(meta.id);
            if (leader === undefined) return undefined;
            const members = leader.meta.peers.map(({ storeId }) => storeId).toSorted();
            const holders = STORES.filter((id) => all.peer(id, meta.id) !== undefined);
            const views = holders.map((id) => all.peer(id, meta.id)!).map((peer) => [rolesOf(peer), peer.state.rows()]);
            const isSame = new Set(views.map((view) => JSON.stringify(view))).size === 1;
            return (isSame && members.join() === holders.join()) || undefined;
          },
          { ...wait, seen: () => all.show(meta.id) },
        );
      }
      expect(all.fatal).toEqual([]);
      expect(trouble.moves).toBeGreaterThan(10);
      expect(Math.min(...trouble.written.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(10);
    },
    60_000,
  );
});
