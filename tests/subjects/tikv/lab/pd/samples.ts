import type { Peer, RegionReport, StoreMeta, StoreStats } from '../../../../../subjects/tikv/lab/pd/model.js';
import { bareReport } from '../../../../../subjects/tikv/lab/pd/model.js';

/** A store that just registered. */
export function storeMeta(known: Partial<StoreMeta> & Pick<StoreMeta, 'id'>): StoreMeta {
  return {
    address: `tikv-${known.id}:20160`,
    state: 'Up',
    labels: [],
    version: '8.5.5',
    peerAddress: '',
    statusAddress: '',
    gitHash: '',
    startTimestamp: 1_796_040_000,
    deployPath: '',
    lastHeartbeatNs: '0',
    nodeState: 'Preparing',
    ...known,
  };
}

/** A store with plenty of room. */
export const STATS: StoreStats = {
  capacity: 200 * 2 ** 30,
  available: 190 * 2 ** 30,
  usedSize: 2 ** 30,
  sendingSnapCount: 0,
  receivingSnapCount: 0,
  slowScore: 1,
  networkSlowScores: {},
  isBusy: false,
  isStopping: false,
};

/** One voter per store of `on`; the first one leads. */
export function report(options: {
  id: number;
  range: readonly [string, string];
  version: number;
  confVer?: number;
  term?: number;
  on?: readonly number[];
}): RegionReport {
  const { id, range, version, confVer = 1, term = 0, on = [1, 2, 3] } = options;
  const peers = on.map((storeId): Peer => ({ id: id * 10 + storeId, storeId, role: 'Voter' }));
  const region = { id, startKey: range[0], endKey: range[1], epoch: { confVer, version }, peers };
  return { ...bareReport(region), leader: peers[0] ?? null, term, approximateSize: 10 };
}
