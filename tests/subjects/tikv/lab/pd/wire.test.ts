import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import { assetPath } from '../../../../../subjects/tikv/lab/assets.js';
import { statsFromWire, type WireStoreStats } from '../../../../../subjects/tikv/lab/pd/rpc/wire.js';

const { StoreHeartbeat } = loadSync(assetPath('subjects/tikv/lab/pdpb.proto'), {
  ...{ longs: String, enums: String, bytes: Buffer, defaults: true, keepCase: true },
})['pdpb.PD'] as ServiceDefinition;

describe('the body of a store heartbeat', () => {
  it('names the stores that its sender finds slow, once it has gone over the wire', () => {
    const sent = StoreHeartbeat!.requestSerialize({ stats: { store_id: 1, network_slow_scores: { 4: 99, 4014: 2 } } });
    const { stats } = StoreHeartbeat!.requestDeserialize(sent) as { stats: WireStoreStats };
    expect(statsFromWire(stats).networkSlowScores).toEqual({ 4: 99, 4014: 2 });
  });
});
