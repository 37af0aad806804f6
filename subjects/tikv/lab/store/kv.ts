/** A write as it stands in the Raft log. */
export interface PutCommand {
  readonly key: string;
  readonly value: string;
}

/** Keys with their values. */
export type Rows = readonly (readonly [key: string, value: string])[];

/** The data of one region: a map, changed only by applied log entries. */
export interface RegionState {
  readonly keys: number;
  /** Length of all keys and values: an estimate, as `approximate_size` of a region heartbeat is one. */
  readonly approximateBytes: number;
  get(key: string): string | null;
  apply(data: string): void;
  rows(): Rows;
  /** Replaces everything. */
  restore(rows: Rows): void;
}

/** Text of the log entry for a write. */
export function encodePut({ key, value }: PutCommand): string {
  return JSON.stringify([key, value]);
}

/** An empty region. */
export function createRegionState(): RegionState {
  let map = new Map<string, string>();
  let bytes = 0;
  const put = (key: string, value: string) => {
    const old = map.get(key);
    bytes += value.length - (old === undefined ? -key.length : old.length);
    map.set(key, value);
  };
  return {
    get keys() {
      return map.size;
    },
    get approximateBytes() {
      return bytes;
    },
    get: (key) => map.get(key) ?? null,
    apply(data) {
      const [key, value] = JSON.parse(data) as [string, string];
      put(key, value);
    },
    rows: () => [...map],
    restore(rows) {
      map = new Map();
      bytes = 0;
      for (const [key, value] of rows) put(key, value);
    },
  };
}
