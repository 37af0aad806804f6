import type { Peer, RegionReport } from '../model.js';
import { keysOf, sizeOf, sum, totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json, octets, parseErrorText } from './answer.js';

/** Up to this many MiB a region counts as empty (PD: `EmptyRegionApproximateSize`). */
const EMPTY_REGION_MIB = 1;

/** The classes of `GET /regions/check/{class}` that this stand-in serves. */
export type CheckClass = 'miss-peer' | 'down-peer' | 'pending-peer';

/** PD's default `max-replicas`. */
export const MAX_REPLICAS = 3;

/** Down and pending peers come from the leader's last heartbeat, and stay as long as it is silent. */
export const IN_CLASS: Readonly<Record<CheckClass, (report: RegionReport) => boolean>> = {
  'miss-peer': ({ region }) => region.peers.length < MAX_REPLICAS,
  'down-peer': ({ downPeers }) => downPeers.length > 0,
  'pending-peer': ({ pendingPeers }) => pendingPeers.length > 0,
};

/** `GET /regions`: all of them, whatever `limit` says. */
export function regions(view: PdView): Answer {
  return list(view.regions.all());
}

/** `GET /regions/count` */
export function regionCount(view: PdView): Answer {
  return json({ count: view.regions.size, regions: null });
}

/** `GET /region/id/{id}`: an unknown region is a region with id 0, not an error. */
export function region(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const report = view.regions.get(Number(id));
  return octets(report === undefined ? UNKNOWN_REGION : regionInfo(report));
}

/** `GET /regions/store/{id}`: none for an unknown store. */
export function regionsOnStore(view: PdView, id: string, query: URLSearchParams): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const here = view.regions.onStore(Number(id));
  const leadersOnly = query.get('type') === 'leader';
  return list(leadersOnly ? here.filter(({ leader }) => leader?.storeId === Number(id)) : here);
}

/** `GET /regions/check/{class}` */
export function regionsInClass(view: PdView, name: CheckClass): Answer {
  return list(view.regions.all().filter(IN_CLASS[name]));
}

/** `GET /stats/region[?count]`: with `count` only the number of regions is filled. Stores with nothing are absent. */
export function regionStats(view: PdView, query: URLSearchParams): Answer {
  const all = view.regions.all();
  if (query.has('count')) return json(statsOf({ count: all.length }));
  const ids = Object.keys(view.state.stores);
  const perStore = (of: keyof ReturnType<typeof totalsOf>, present: 'leaderCount' | 'regionCount') =>
    Object.fromEntries(
      ids.flatMap((id) => {
        const totals = totalsOf(view.regions, Number(id));
        return totals[present] === 0 ? [] : [[id, totals[of]]];
      }),
    );
  return json(
    statsOf({
      count: all.length,
      empty_count: all.filter((report) => sizeOf(report) <= EMPTY_REGION_MIB).length,
      storage_size: sum(all, sizeOf),
      storage_keys: sum(all, keysOf),
      store_leader_count: perStore('leaderCount', 'leaderCount'),
      store_peer_count: perStore('regionCount', 'regionCount'),
      store_leader_size: perStore('leaderSize', 'leaderCount'),
      store_leader_keys: perStore('leaderKeys', 'leaderCount'),
      store_peer_size: perStore('regionSize', 'regionCount'),
      store_peer_keys: perStore('regionKeys', 'regionCount'),
    }),
  );
}

function statsOf(known: Readonly<Record<string, unknown>>): object {
  const unknown = {
    count: 0,
    empty_count: 0,
    storage_size: 0,
    user_storage_size: 0,
    storage_keys: 0,
    store_leader_count: null,
    store_peer_count: null,
    store_leader_size: null,
    store_leader_keys: null,
    store_peer_size: null,
    store_peer_keys: null,
  };
  return { ...unknown, ...known };
}

function list(reports: readonly RegionReport[]): Answer {
  return octets({ count: reports.length, regions: reports.map(regionInfo) });
}

const UNKNOWN_REGION = {
  id: 0,
  start_key: '',
  end_key: '',
  leader: { role_name: '' },
  cpu_usage: 0,
  written_bytes: 0,
  read_bytes: 0,
  written_keys: 0,
  read_keys: 0,
  approximate_size: 0,
  approximate_keys: 0,
};

function regionInfo(report: RegionReport): object {
  const { region, downPeers, pendingPeers } = report;
  return {
    id: region.id,
    start_key: region.startKey,
    end_key: region.endKey,
    epoch: { conf_ver: region.epoch.confVer, version: region.epoch.version },
    peers: region.peers.map(peerInfo),
    leader: report.leader === null ? UNKNOWN_REGION.leader : peerInfo(report.leader),
    ...(downPeers.length === 0
      ? {}
      : {
          down_peers: downPeers.map(({ peer, downSeconds }) => ({ peer: peerInfo(peer), down_seconds: downSeconds })),
        }),
    ...(pendingPeers.length === 0 ? {} : { pending_peers: pendingPeers.map(peerInfo) }),
    cpu_usage: 0,
    written_bytes: report.writtenBytes,
    read_bytes: report.readBytes,
    written_keys: report.writtenKeys,
    read_keys: report.readKeys,
    approximate_size: report.approximateSize,
    approximate_keys: report.approximateKeys,
  };
}

const ROLE_NUMBERS = { Voter: 0, Learner: 1, IncomingVoter: 2, DemotingVoter: 3 } as const;

function peerInfo({ id, storeId, role }: Peer): object {
  return {
    role_name: role,
    ...(role === 'Learner' ? { is_learner: true } : {}),
    id,
    store_id: storeId,
    ...(role === 'Voter' ? {} : { role: ROLE_NUMBERS[role] }),
  };
}
