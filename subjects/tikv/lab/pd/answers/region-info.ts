import type { Peer, RegionReport } from '../model.js';
import { type Answer, octets } from './answer.js';

/** Regions as PD lists them. */
export function regionList(reports: readonly RegionReport[]): Answer {
  return octets({ count: reports.length, regions: reports.map(regionInfo) });
}

/** What PD says of a region that it does not know. */
export const UNKNOWN_REGION = {
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

/** One region, with what its leader last reported. */
export function regionInfo(report: RegionReport): object {
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
