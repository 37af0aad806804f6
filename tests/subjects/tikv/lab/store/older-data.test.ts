import { describe, expect, it } from '@jest/globals';
import type { GroupWrite, StoredGroup } from '../../../../../subjects/tikv/lab/raft/storage.js';
import { replay } from '../../../../../subjects/tikv/lab/raft/storage.js';
import type { RegionMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import { renewOlderData } from '../../../../../subjects/tikv/lab/store/older-data.js';
import { peersOnDisk } from '../../../../../subjects/tikv/lab/store/peers-on-disk.js';
import { decodeSnapshot } from '../../../../../subjects/tikv/lab/store/region-snapshot.js';

/** As a lab wrote it before regions could change. */
const regions = [
  {
    id: 10,
    startKey: '',
    endKey: 't01',
    confVer: 3,
    version: 24,
    peers: [
      { id: 11, storeId: 1 },
      { id: 12, storeId: 2 },
    ],
  },
] as unknown as RegionMeta[];
const older = (): StoredGroup => ({
  hardState: { term: 7, vote: '11', commit: 9 },
  snapshot: { index: 8, term: 7, voters: ['11', '12'], data: '[["t00-a","1"]]' },
  entries: [{ index: 9, term: 7, data: '["t00-b","2"]' }],
});

describe('the data of an older lab', () => {
  it('is written anew once: the region in the snapshot, and who of its peers is here', async () => {
    const disk = new Map([['10', older()]]);
    const batches: GroupWrite[][] = [];
    const storage = {
      save: async (batch: GroupWrite[]) => {
        batches.push(batch);
        replay(disk, structuredClone(batch));
      },
    };
    const groups = await renewOlderData({ storage, groups: new Map([['10', older()]]), regions, storeId: 2 });
    expect(groups).toEqual(disk);
    expect(disk.get('10')).toMatchObject({ hardState: older().hardState, entries: older().entries });
    expect(decodeSnapshot(disk.get('10')!.snapshot!.data)).toEqual({
      region: { ...regions[0], peers: regions[0]!.peers.map((peer) => ({ ...peer, role: 'Voter' })) },
      rows: [['t00-a', '1']],
    });
    expect(peersOnDisk(disk).places).toMatchObject([{ regionId: 10, peerId: 12, since: 3 }]);

    await renewOlderData({ storage, groups: disk, regions, storeId: 2 });
    expect(batches.map((batch) => batch.length)).toEqual([1, 0]);
  });
});

describe('the peers on a disk', () => {
  it('are those with a note; who is noted as gone is only a name that must not come back', () => {
    const { places, gone } = peersOnDisk(
      new Map([
        ['10', { ...older(), note: '{"peer":11,"since":3}' }],
        ['20', { ...older(), note: '{"peer":21,"since":3,"gone":true}' }],
        ['30', older()],
      ]),
    );
    expect(places.map(({ regionId, peerId }) => [regionId, peerId])).toEqual([[10, 11]]);
    expect([...gone]).toEqual([[20, 21]]);
  });
});
