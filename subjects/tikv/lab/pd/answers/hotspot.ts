import type { RegionReport } from '../model.js';
import { sum } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** PD dereferences the cluster that is not there, and its HTTP server answers with the stack. */
const PANIC: Answer = {
  status: 500,
  contentType: 'text/plain; charset=utf-8',
  body:
    'PANIC: runtime error: invalid memory address or nil pointer dereference\n' +
    'github.com/tikv/pd/server/cluster.(*RaftCluster).GetStores(...)\n',
};

interface Flow {
  readonly bytes: number;
  readonly keys: number;
}

/** `GET /hotspot/stores`: bytes and keys per second as the regions' leaders report them; stores report no queries. */
export function hotStores(view: PdView): Answer {
  if (!view.isLeader || view.state.bootstrappedAtNs === null) return PANIC;
  const [writes, reads] = [perStore(view, writeFlow), perStore(view, readFlow)];
  const part = (flows: Map<string, Flow>, of: (flow: Flow) => number) =>
    Object.fromEntries([...flows].map(([id, flow]) => [id, of(flow)]));
  return json({
    'bytes-write-rate': part(writes, ({ bytes }) => bytes),
    'bytes-read-rate': part(reads, ({ bytes }) => bytes),
    'keys-write-rate': part(writes, ({ keys }) => keys),
    'keys-read-rate': part(reads, ({ keys }) => keys),
    'query-write-rate': part(writes, () => 0),
    'query-read-rate': part(reads, () => 0),
  });
}

/** `GET /hotspot/regions/read|write[?store_id=]`: the stores' flow. No region is ever called hot here. */
export function hotRegions(
  view: PdView,
  { kind, query }: { readonly kind: 'read' | 'write'; readonly query: URLSearchParams },
): Answer {
  const asked = query.getAll('store_id');
  const unknown = asked.find((id) => view.state.stores[Number(id)] === undefined);
  if (unknown !== undefined) return json(`[PD:core:ErrStoreNotFound]store ${unknown} not found`, 500);
  const flows = [...perStore(view, kind === 'read' ? readFlow : writeFlow)].filter(
    ([id]) => asked.length === 0 || asked.includes(id),
  );
  const none = { bytes: 0, keys: 0 };
  return json({
    as_peer: Object.fromEntries(flows.map(([id, flow]) => [id, loadOf(flow)])),
    as_leader: Object.fromEntries(flows.map(([id, flow]) => [id, loadOf(kind === 'read' ? flow : none)])),
  });
}

/** `GET /hotspot/buckets`: there are none. */
export function hotspotBuckets(): Answer {
  return json({});
}

function loadOf({ bytes, keys }: Flow): object {
  return {
    store_bytes: bytes,
    store_keys: keys,
    store_query: 0,
    total_flow_bytes: 0,
    total_flow_keys: 0,
    total_flow_query: 0,
    regions_count: 0,
    statistics: [],
  };
}

function perStore(view: PdView, of: (view: PdView, storeId: number) => Flow): Map<string, Flow> {
  const living = Object.values(view.state.stores).filter(({ state }) => state !== 'Tombstone');
  return new Map(living.map(({ id }) => [String(id), of(view, id)]));
}

/** Every replica of a region writes what the leader writes. */
function writeFlow(view: PdView, storeId: number): Flow {
  const here = view.regions.onStore(storeId);
  return perSecond(view, { bytes: sum(here, (one) => one.writtenBytes), keys: sum(here, (one) => one.writtenKeys) });
}

function readFlow(view: PdView, storeId: number): Flow {
  const led = view.regions.onStore(storeId).filter((report: RegionReport) => report.leader?.storeId === storeId);
  return perSecond(view, { bytes: sum(led, (one) => one.readBytes), keys: sum(led, (one) => one.readKeys) });
}

function perSecond({ times }: PdView, { bytes, keys }: Flow): Flow {
  const seconds = times.regionHeartbeatMs / 1000;
  return { bytes: bytes / seconds, keys: keys / seconds };
}
