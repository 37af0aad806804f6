import type { Rows } from './kv.js';
import type { RegionMeta } from './layout.js';

/** The applied state of a region: who it is and what it holds, of the same moment. */
export interface RegionSnapshot {
  readonly region: RegionMeta;
  readonly rows: Rows;
}

/** Text for the Raft log's snapshot. Both parts in one text, so that no kill can leave the one without the other. */
export function encodeSnapshot(snapshot: RegionSnapshot): string {
  return JSON.stringify(snapshot);
}

/** @throws SyntaxError for a text that {@link encodeSnapshot} did not make */
export function decodeSnapshot(data: string): RegionSnapshot {
  return JSON.parse(data) as RegionSnapshot;
}
