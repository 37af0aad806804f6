import { NO_ANSWER, type Row, type StoreCell } from './rows.js';

/** The store that is hit; its number is its place in `proc` and `status_ms`. */
export interface Target {
  readonly id: string;
  readonly number: number;
}

/** A row with what an event may compare it to. */
export interface Scene {
  readonly row: Row;
  /** The row right before. */
  readonly last: Row;
  /** The row before the fault. */
  readonly before: Row;
  /** Null for faults of PD. */
  readonly target: Target | null;
  readonly pdLeaderBefore: string;
}

/** Something that can be told apart in a row. */
export interface SequenceEvent {
  readonly name: string;
  /** Stand-in and real cluster agree when their times differ by no more, in seconds of the profile `real`. */
  readonly toleranceS: number;
  holds(scene: Scene): boolean;
}

/** Three rows: what follows at once is seen in the first or second. */
const AT_ONCE = 3;
/** The time of an election is drawn from 10 to 20 s. */
const ELECTION = 6;
/** Comes with a store's heartbeat, every 10 s, each store at a time of its own. */
const HEARTBEAT = 10;

/** A network_slow_score that says something. A rise counts, leftovers of earlier faults do not. */
const SLOW = 80;
const RISE = 10;

const event = (name: string, toleranceS: number, holds: (scene: Scene) => boolean): SequenceEvent => ({
  name,
  toleranceS,
  holds,
});

/** An event of the target's line in PD's list. */
const ofTarget = (
  name: string,
  toleranceS: number,
  holds: (now: StoreCell, before: StoreCell) => boolean,
): SequenceEvent =>
  event(name, toleranceS, ({ row, before, target }) => {
    const [now, then] = [row, before].map(({ stores }) => cellsOf(stores).find(([id]) => id === target?.id)?.[1]);
    return now !== undefined && then !== undefined && holds(now, then);
  });

const ofStores = (name: string, holds: (cells: readonly StoreCell[], scene: Scene) => boolean): SequenceEvent =>
  event(name, HEARTBEAT, (scene) => {
    const cells = cellsOf(scene.row.stores).map(([, cell]) => cell);
    return cells.length > 0 && holds(cells, scene);
  });

/** In two rows in a row: a single late attempt is everyday life of a busy machine. */
const client = (name: string, kind: RegExp): SequenceEvent =>
  event(name, AT_ONCE, ({ row, last }) =>
    [row, last].every(({ err }) => Object.keys(err).some((key) => kind.test(key))),
  );

const operators = (name: string): SequenceEvent =>
  event(`operators ${name}`, AT_ONCE, ({ row: { ops } }) => Object.keys(ops).some((key) => key.startsWith(name)));

/** From the fault to its healing. `T` is the store that is hit. */
export const DURING: readonly SequenceEvent[] = [
  event('process of T gone', AT_ONCE, ({ row, target }) => '-Z'.includes(row.proc[target?.number ?? -1] ?? 'S')),
  event('process of T stopped', AT_ONCE, ({ row, target }) => row.proc[target?.number ?? -1] === 'T'),
  event('status of T refused', AT_ONCE, ({ row, target }) => row.status_ms[target?.number ?? -1] === 'refused'),
  // A single row may be late because of the recorder.
  event('status of T silent', AT_ONCE, ({ row, last, target }) =>
    [row, last].every(({ status_ms }) => status_ms[target?.number ?? -1] === 'timeout'),
  ),
  client('clients are refused', /connection refused/),
  client('clients wait in vain', /DeadlineExceeded/),
  client('clients are sent to another store', /NotLeader/),
  { ...client('clients give up', /GAVE UP/), toleranceS: ELECTION },
  ofTarget('first leader of T elsewhere', ELECTION, ([, leaders], [, before]) => leaders < before),
  ofTarget('last leader of T elsewhere', ELECTION, ([, leaders], [, before]) => leaders === 0 && before > 0),
  event('first pending peer', ELECTION, ({ row, before }) => pendingIn(row) > pendingIn(before)),
  ofTarget('T Disconnected', AT_ONCE, ([state]) => state === 'Disconnected'),
  event('first network score about T', HEARTBEAT, (scene) => reportersOf(scene) > 0),
  event(
    'network scores about T from all others',
    HEARTBEAT,
    (scene) => reportersOf(scene) > 0 && reportersOf(scene) >= cellsOf(scene.row.stores).length - 1,
  ),
  ofTarget('slow_score of T rises', HEARTBEAT, (now, before) => now[4] > Math.max(before[4], 1)),
  event('PD lists no stores', AT_ONCE, ({ row }) => row.stores === NO_ANSWER),
  event('a PD member refuses', AT_ONCE, ({ row }) => answers(row).includes('refused')),
  event('PD says "redirect failed"', AT_ONCE, ({ row }) => answers(row).some((a) => a.includes('redirect failed'))),
  event('PD calls a member unhealthy', AT_ONCE, ({ row }) => row.unhealthy.length > 0),
  event('PD has another leader', ELECTION, ({ row, pdLeaderBefore }) => {
    const [leader] = leadersIn(row);
    return leader !== undefined && leader !== pdLeaderBefore;
  }),
  ofStores('all stores Disconnected', (cells) => cells.every(([state]) => state === 'Disconnected')),
  ofStores('no store has a slow_score', (cells) => cells.every((cell) => cell[4] === 0)),
  ofStores(
    'all stores Up again',
    (cells, { last }) => areUp(cells) && !areUp(cellsOf(last.stores).map(([, cell]) => cell)),
  ),
  ofTarget('T Offline', AT_ONCE, ([state]) => state === 'Offline'),
  ofTarget('peers leave T', AT_ONCE, ([, , regions], [, , before]) => regions < before),
  event('T is not listed', ELECTION, ({ row, target }) => {
    const ids = cellsOf(row.stores).map(([id]) => id);
    return target !== null && ids.length > 0 && !ids.includes(target.id);
  }),
  event('leaders move', AT_ONCE, ({ row, before }) =>
    cellsOf(row.stores).some(([id, [, leaders]]) => Math.abs(leaders - leadersOf(before, id)) >= 2),
  ),
  ofTarget('leaders come to T', AT_ONCE, ([, leaders], [, before]) => leaders > before + 1),
  operators('replace-rule-offline'),
  operators('evict-stopping-store'),
];

/** After the healing. An event counts only if it did not hold in the last row before. */
export const AFTER: readonly SequenceEvent[] = [
  event('status of T answers', AT_ONCE, ({ row, target }) => typeof row.status_ms[target?.number ?? -1] === 'number'),
  event('nothing pending', ELECTION, ({ row, before }) => pendingIn(row) <= pendingIn(before)),
  ofTarget('T Up', HEARTBEAT, ([state]) => state === 'Up'),
  ofTarget('T Up and busy', HEARTBEAT, ([state, , , , , , others]) => state === 'Up' && others?.is_busy === true),
  ofTarget('leaders of T again', HEARTBEAT, ([, leaders]) => leaders > 0),
  event('PD calls all members healthy', AT_ONCE, ({ row }) => row.unhealthy.length === 0),
  event('PD has a leader', ELECTION, ({ row }) => leadersIn(row).length > 0),
  ofStores('all stores Disconnected', (cells) => cells.every(([state]) => state === 'Disconnected')),
  ofStores('all stores Up', areUp),
  ofStores('every store has a slow_score', (cells) => cells.every((cell) => cell[4] > 0)),
];

/** PD with an empty list knows nothing of anybody. */
function areUp(cells: readonly StoreCell[]): boolean {
  return cells.length > 0 && cells.every(([state]) => state === 'Up');
}

const leadersOf = ({ stores }: Row, id: string): number => cellsOf(stores).find(([one]) => one === id)?.[1][1] ?? 0;

const cellsOf = (stores: Row['stores']): [string, StoreCell][] => (stores === NO_ANSWER ? [] : Object.entries(stores));

const answers = ({ pd }: Row): readonly string[] => (typeof pd === 'string' ? [pd] : pd);

const leadersIn = (row: Row): string[] => answers(row).filter((answer) => /^pd-?\d+$/.test(answer));

const pendingIn = ({ check }: Row): number => (check === NO_ANSWER ? 0 : (check['pending-peer'] ?? 0));

/** How many stores report a high score about the target that has risen since before the fault. */
function reportersOf({ row, before, target }: Scene): number {
  if (target === null) return 0;
  const leftovers = new Map(cellsOf(before.stores));
  const score = (cell: StoreCell | undefined) => cell?.[6]?.network_slow_score?.[target.id] ?? 1;
  return cellsOf(row.stores).filter(
    ([id, cell]) => id !== target.id && score(cell) >= SLOW && score(cell) >= score(leftovers.get(id)) + RISE,
  ).length;
}
