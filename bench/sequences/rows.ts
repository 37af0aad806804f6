/**
 * A store in PD's list: state, leaders, regions, pending peers, slow_score (0: absent), seconds since the last heartbeat,
 * and what is only shown when it is not as usual.
 */
export type StoreCell = readonly [
  state: string,
  leaders: number,
  regions: number,
  pendingPeers: number,
  slowScore: number,
  heartbeatAgeS: number,
  others?: { readonly network_slow_score?: Readonly<Record<string, number>>; readonly is_busy?: boolean },
];

/** PD could not be asked. */
export const NO_ANSWER = 'no answer';

/** One look at a cluster from outside. */
export interface Row {
  /** Seconds after the fault, in the times of the profile `real`. */
  readonly s: number;
  /** By store id. */
  readonly stores: Readonly<Record<string, StoreCell>> | typeof NO_ANSWER;
  /** Whom PD names as leader; one answer per member where they differ. */
  readonly pd: string | readonly string[];
  /** Members that PD's `/health` calls unhealthy. */
  readonly unhealthy: readonly string[];
  /** Process states of the stores by their number: `-` gone, `T` stopped, `Z` just killed. */
  readonly proc: string;
  /** Counts of `/regions/check/...`; a count of 0 is left out. */
  readonly check: Readonly<Record<string, number>> | typeof NO_ANSWER;
  /** Running operators by name. */
  readonly ops: Readonly<Record<string, number>> | typeof NO_ANSWER;
  /** `GET /status` of the stores by their number: ms, `refused` or `timeout`. */
  readonly status_ms: readonly (number | string)[];
  /** Load client: operations done since the row before, p50 ms, p99 ms, in flight. */
  readonly c: readonly (number | null)[];
  /** Failed attempts since the row before, by kind; where the recorder knows, `sN ` with the store's id stands before it. */
  readonly err: Readonly<Record<string, number>>;
}

/** A row as it is written down: a part is left out while it is as in the row before, `err` while it is empty. */
export type LeanRow = Partial<Row> & { readonly s: number };

/** What was seen around one fault. */
export interface Recording {
  readonly scenario: string;
  readonly what: string;
  /** Absent where nothing was broken. */
  readonly healed_at_s?: number;
  /** Store names by id. */
  readonly stores_by_id: Readonly<Record<string, string>>;
  readonly pd_leader_before: string;
  /** Second from which PD does not list a store any more. */
  readonly unlisted_from_s?: Readonly<Record<string, number>>;
  readonly rows: readonly LeanRow[];
}

const NOTHING: Omit<Row, 's'> = {
  stores: {},
  pd: '',
  unhealthy: [],
  proc: '',
  check: {},
  ops: {},
  status_ms: [],
  c: [],
  err: {},
};

/** Rows of which each says everything. */
export function wholeRows({ rows, unlisted_from_s = {} }: Recording): Row[] {
  let row: Omit<Row, 's'> = NOTHING;
  return rows.map((lean): Row => {
    row = { ...row, err: {}, ...lean, stores: listed(mergeStores(row.stores, lean.stores), lean.s, unlisted_from_s) };
    return { ...row, s: lean.s };
  });
}

function mergeStores(before: Row['stores'], now: LeanRow['stores']): Row['stores'] {
  if (now === undefined) return before;
  if (now === NO_ANSWER || before === NO_ANSWER) return now;
  return { ...before, ...now };
}

/** A tombstone leaves the list without a word in the rows. */
function listed(stores: Row['stores'], s: number, unlistedFromS: Readonly<Record<string, number>>): Row['stores'] {
  if (stores === NO_ANSWER) return stores;
  return Object.fromEntries(
    Object.entries(stores).filter(([id]) => s < (unlistedFromS[id] ?? Number.POSITIVE_INFINITY)),
  );
}

/** Since when stores that PD had listed are not listed any more, by id; a PD that does not answer says nothing of it. */
export function unlistedFrom(rows: readonly Row[]): Record<string, number> {
  const answered = rows.filter(({ stores }) => stores !== NO_ANSWER);
  const listedIn = (row: Row) => Object.keys(row.stores);
  const ids = new Set(answered.flatMap(listedIn));
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const lastWith = answered.findLastIndex((row) => listedIn(row).includes(id));
      const next = answered[lastWith + 1];
      return next === undefined ? [] : [[id, next.s]];
    }),
  );
}

/** Beyond this age a store is written down in every row. */
const QUIET_AGE_S = 12;

/** The same rows with what did not change left out; of a store the age alone is no change while it is below 12 s. */
export function leanRows(rows: readonly Row[]): LeanRow[] {
  return rows.map((row, index): LeanRow => {
    const before = rows[index - 1];
    const changed = Object.entries(row).filter(
      ([part, value]) => part === 's' || !isSame(value, before?.[part as keyof Row]),
    );
    const { err, stores, ...lean } = Object.fromEntries(changed) as LeanRow;
    return { ...lean, ...(isSame(row.err, {}) ? {} : { err: row.err }), ...leanStores(row, before) };
  });
}

function leanStores({ stores }: Row, before: Row | undefined): Pick<LeanRow, 'stores'> {
  if (stores === NO_ANSWER) return before?.stores === NO_ANSWER ? {} : { stores };
  const known = before === undefined || before.stores === NO_ANSWER ? {} : before.stores;
  const told = Object.entries(stores).filter(
    ([id, cell]) => cell[5] >= QUIET_AGE_S || !isSame(withoutAge(cell), known[id] && withoutAge(known[id])),
  );
  return told.length === 0 ? {} : { stores: Object.fromEntries(told) };
}

const withoutAge = ([state, leaders, regions, pending, slow, , others]: StoreCell) => [
  ...[state, leaders, regions, pending, slow],
  others,
];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
