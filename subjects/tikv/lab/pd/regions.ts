import { bareReport, type Region, type RegionReport } from './model.js';

/** `stale` gives PD's text. */
export type Acceptance =
  | { readonly accepted: true; readonly moved: boolean }
  | { readonly accepted: false; readonly stale: string };

/**
 * PD's picture of the regions. It believes what leaders say, by epoch and term only: a region whose leader is silent
 * keeps its last leader and its last down and pending peers, however old they are.
 */
export class RegionCache {
  readonly #reports = new Map<number, RegionReport>();
  #inKeyOrder: readonly RegionReport[] | null = null;

  get size(): number {
    return this.#reports.size;
  }

  /**
   * Takes a heartbeat over, unless what is known is newer (PD: `PreCheckPutRegion`). Equal epochs replace. Regions that
   * the new range overlaps are dropped; they come back when their leaders report.
   *
   * `moved` says whether range, peers or leader changed, so that the change is worth keeping.
   */
  accept(report: RegionReport): Acceptance {
    const origin = this.#reports.get(report.region.id);
    const overlapped = this.#overlapped(report.region);
    const newer = [origin, ...overlapped].find((known) => known !== undefined && isNewer(known, report));
    if (newer !== undefined) return { accepted: false, stale: staleText(report.region, newer.region) };
    for (const { region } of overlapped) this.#reports.delete(region.id);
    const size = report.approximateSize === 0 ? (origin?.approximateSize ?? 0) : report.approximateSize;
    this.#put({ ...report, approximateSize: size });
    return { accepted: true, moved: origin === undefined || overlapped.length > 0 || hasMoved(origin, report) };
  }

  /** Takes regions over from disk: without leader, and without questions. */
  load(regions: readonly Region[]): void {
    for (const region of regions) this.#put(bareReport(region));
  }

  /** Until its leader reports again, the region is unknown. */
  forget(id: number): void {
    this.#reports.delete(id);
    this.#inKeyOrder = null;
  }

  get(id: number): RegionReport | undefined {
    return this.#reports.get(id);
  }

  /** The region that holds `key` (upper-case hex). */
  at(key: string): RegionReport | undefined {
    return this.all().find(({ region }) => region.startKey <= key && (region.endKey === '' || key < region.endKey));
  }

  /** In key order. */
  all(): readonly RegionReport[] {
    this.#inKeyOrder ??= [...this.#reports.values()].sort((a, b) => (a.region.startKey < b.region.startKey ? -1 : 1));
    return this.#inKeyOrder;
  }

  /** The regions that touch `[startKey, endKey)` in key order; `limit` 0 or less means all. */
  scan(range: { readonly startKey: string; readonly endKey: string; readonly limit: number }): RegionReport[] {
    const found = this.all().filter(({ region }) => overlaps(region, range));
    return range.limit > 0 ? found.slice(0, range.limit) : found;
  }

  /** The regions with a peer on `storeId`. */
  onStore(storeId: number): RegionReport[] {
    return this.all().filter(({ region }) => region.peers.some((peer) => peer.storeId === storeId));
  }

  #put(report: RegionReport): void {
    this.#reports.set(report.region.id, report);
    this.#inKeyOrder = null;
  }

  #overlapped(region: Region): RegionReport[] {
    return this.all().filter((known) => known.region.id !== region.id && overlaps(known.region, region));
  }
}

/** Key ranges that no known region covers, as pairs of keys; none at all if there are no regions. */
export function holesIn(regions: RegionCache): [string, string][] {
  const holes: [string, string][] = [];
  let covered = '';
  const all = regions.all();
  for (const { region } of all) {
    if (region.startKey > covered) holes.push([covered, region.startKey]);
    covered = region.endKey;
  }
  if (all.length > 0 && covered !== '') holes.push([covered, '']);
  return holes;
}

/** Share of the regions, overall and on each store, that a leader reported since they were loaded. */
export function reportedShare(regions: RegionCache): number {
  const all = regions.all();
  const stores = new Set(all.flatMap(({ region }) => region.peers.map(({ storeId }) => storeId)));
  const shares = [share(all), ...[...stores].map((id) => share(regions.onStore(id)))];
  return Math.min(...shares);
}

function share(reports: readonly RegionReport[]): number {
  return reports.length === 0 ? 0 : reports.filter(({ leader }) => leader !== null).length / reports.length;
}

function overlaps(a: Pick<Region, 'startKey' | 'endKey'>, b: Pick<Region, 'startKey' | 'endKey'>): boolean {
  return (a.endKey === '' || b.startKey < a.endKey) && (b.endKey === '' || a.startKey < b.endKey);
}

function isNewer(known: RegionReport, report: RegionReport): boolean {
  const [then, now] = [known.region.epoch, report.region.epoch];
  if (then.version > now.version) return true;
  if (known.region.id !== report.region.id) return false;
  return then.confVer > now.confVer || (report.term > 0 && report.term < known.term);
}

function hasMoved(origin: RegionReport, report: RegionReport): boolean {
  const place = ({ region, leader }: RegionReport) => JSON.stringify([region, leader?.id ?? null]);
  return place(origin) !== place(report);
}

function staleText(region: Region, origin: Region): string {
  return `region is stale: region ${goText(region)} origin ${goText(origin)}`;
}

function goText({ id, startKey, endKey, epoch, peers }: Region): string {
  const key = (name: string, hex: string) => (hex === '' ? '' : `${name}:"${hex}" `);
  const peerText = peers.map((peer) => `peers:<id:${peer.id} store_id:${peer.storeId} > `).join('');
  const epochText = `region_epoch:<conf_ver:${epoch.confVer} version:${epoch.version} > `;
  return `id:${id} ${key('start_key', startKey)}${key('end_key', endKey)}${epochText}${peerText}`;
}
