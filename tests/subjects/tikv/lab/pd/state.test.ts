import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apply, type Command, EMPTY_STATE, type PdState } from '../../../../../subjects/tikv/lab/pd/state.js';
import { storeMeta } from './samples.js';

const stateAfter = (...commands: Command[]): PdState =>
  commands.reduce((state, command) => apply(state, command).state, EMPTY_STATE);

describe("PD's replicated state", () => {
  it('names the cluster once, whoever tries again', () => {
    const state = stateAfter({ kind: 'name-cluster', clusterId: '1' });
    expect(apply(state, { kind: 'name-cluster', clusterId: '2' })).toEqual({ state, applied: 'conflict' });
  });

  it('gives the leader key to the first who asks, until that very lease is given back', () => {
    const [first, second] = [
      { member: 'pd-0', lease: 'a' },
      { member: 'pd-1', lease: 'b' },
    ];
    const held = stateAfter({ kind: 'take-lead', key: first });
    expect(apply(held, { kind: 'take-lead', key: second }).applied).toBe('conflict');
    expect(apply(held, { kind: 'leave-lead', key: { ...first, lease: 'old' } }).applied).toBe('conflict');
    const free = apply(held, { kind: 'leave-lead', key: first }).state;
    expect(apply(free, { kind: 'take-lead', key: second }).state.leaderKey).toEqual(second);
  });

  it('is bootstrapped once', () => {
    const region = { id: 2, startKey: '', endKey: '', epoch: { confVer: 1, version: 1 }, peers: [] };
    const state = stateAfter({ kind: 'bootstrap', store: storeMeta({ id: 1 }), region, atNs: '5' });
    const again = apply(state, { kind: 'bootstrap', store: storeMeta({ id: 9 }), region, atNs: '6' });
    expect(again.applied).toBe('conflict');
    expect(Object.keys(again.state.stores)).toEqual(['1']);
    expect(state.clusterVersion).toBe('0.0.0');
  });

  it('takes the lowest version of the stores as the cluster version, also downwards', () => {
    const state = stateAfter({ kind: 'put-store', store: storeMeta({ id: 1, version: '8.5.5' }) });
    expect(state.clusterVersion).toBe('8.5.5');
    expect(
      apply(state, { kind: 'put-store', store: storeMeta({ id: 2, version: '8.5.0' }) }).state.clusterVersion,
    ).toBe('8.5.0');
  });

  it('keeps its own decisions and old labels when a store registers again', () => {
    const state = stateAfter(
      {
        kind: 'put-store',
        store: storeMeta({
          id: 1,
          labels: [
            { key: 'zone', value: 'z1' },
            { key: 'host', value: 'h1' },
          ],
        }),
      },
      { kind: 'store-node-state', storeId: 1, nodeState: 'Serving' },
      { kind: 'store-heard', storeId: 1, lastHeartbeatNs: '77' },
      { kind: 'put-store', store: storeMeta({ id: 1, address: 'new:1', labels: [{ key: 'zone', value: 'z2' }] }) },
    );
    expect(state.stores[1]).toMatchObject({
      address: 'new:1',
      nodeState: 'Serving',
      lastHeartbeatNs: '77',
      labels: [
        { key: 'host', value: 'h1' },
        { key: 'zone', value: 'z2' },
      ],
    });
  });

  it('never takes back an id or a time, whatever the order of the commands', () => {
    const reserve = fc.oneof(
      fc.nat(10_000).map((end): Command => ({ kind: 'reserve-ids', end })),
      fc.nat(10_000).map((endMs): Command => ({ kind: 'reserve-time', endMs })),
    );
    fc.assert(
      fc.property(fc.array(reserve), (commands) => {
        let state = EMPTY_STATE;
        for (const command of commands) {
          const next = apply(state, command).state;
          expect(next.idEnd).toBeGreaterThanOrEqual(state.idEnd);
          expect(next.tsoEndMs).toBeGreaterThanOrEqual(state.tsoEndMs);
          state = next;
        }
      }),
    );
  });
});
