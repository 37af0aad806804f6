/** One look at a killed store from all sides, in a form that recording and stand-in share. */
export interface KillRow {
  /** Seconds since the kill, in the times of the real profile. */
  readonly s: number;
  /** PD's word. */
  readonly state: string;
  readonly leaders: number;
  readonly pending: number;
  readonly slowScore: number;
  readonly isBusy: boolean;
  /** Does any store report a network slow score about the target? */
  readonly networkSlow: boolean;
  /** The target's `/status`. */
  readonly status: 'ok' | 'refused' | 'other';
  /** Clients were refused by the target since the last row. */
  readonly clientRefused: boolean;
  /** Peers counted failures to reach the target since the last row. */
  readonly peersReport: boolean;
}

/** What can be told apart in a row of time. */
export type KillEvent =
  | 'status refused'
  | 'clients refused'
  | 'peers report failures'
  | 'first leader elsewhere'
  | 'first pending peer'
  | 'Disconnected'
  | 'last leader elsewhere'
  | 'status answers'
  | 'nothing pending'
  | 'Up and busy'
  | 'not busy';

/** When each event was first seen; an event that was not seen is absent. */
export type KillTimes = Partial<Record<KillEvent, number>>;

/** Reads the events out of the rows, each as the first row that shows it after the one it needs. */
export function killTimes(rows: readonly KillRow[], healedAtS: number): KillTimes {
  const dead = rows.filter(({ s }) => s >= 0 && s < healedAtS);
  const back = rows.filter(({ s }) => s >= healedAtS);
  const before = rows[0]!;
  const upAt = back.find(({ state }) => state === 'Up')?.s ?? Number.POSITIVE_INFINITY;
  return {
    'status refused': dead.find(({ status }) => status === 'refused')?.s,
    'clients refused': dead.find(({ clientRefused }) => clientRefused)?.s,
    'peers report failures': dead.find(({ peersReport }) => peersReport)?.s,
    'first leader elsewhere': dead.find(({ leaders }) => leaders < before.leaders)?.s,
    'first pending peer': dead.find(({ pending }) => pending > before.pending)?.s,
    Disconnected: dead.find(({ state }) => state === 'Disconnected')?.s,
    'last leader elsewhere': dead.find(({ leaders }) => leaders === 0)?.s,
    'status answers': back.find(({ status }) => status === 'ok')?.s,
    'nothing pending': back.find(({ pending }) => pending === 0)?.s,
    'Up and busy': back.find(({ state, isBusy }) => state === 'Up' && isBusy)?.s,
    'not busy': back.find(({ s, isBusy }) => s >= upAt && !isBusy)?.s,
  };
}

/**
 * Events in groups that follow each other. Within `closerThan` seconds the order is chance, so a group may hold several
 * events, in alphabetical order.
 */
export function killOrder(times: KillTimes, closerThan: number): KillEvent[][] {
  const sorted = (Object.entries(times) as [KillEvent, number][]).sort(([, a], [, b]) => a - b);
  const groups: [KillEvent, number][][] = [];
  for (const entry of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && entry[1] - last.at(-1)![1] < closerThan) last.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => group.map(([event]) => event).sort());
}

interface RecordedRow {
  s: number;
  stores?: Record<string, [string, number, number, number, number, number, { is_busy?: boolean; network?: unknown }?]>;
  status_ms?: (number | string)[];
  err?: Record<string, number>;
  m?: Record<string, object>;
}

/** The recording's rows leave out what did not change; here every row is whole. */
export function recordedRows(recording: { rows: RecordedRow[] }, target: string): KillRow[] {
  let row: KillRow = {
    s: 0,
    state: 'Up',
    leaders: 0,
    pending: 0,
    slowScore: 1,
    isBusy: false,
    networkSlow: false,
    status: 'ok',
    clientRefused: false,
    peersReport: false,
  };
  return recording.rows.map(({ s, stores, status_ms, err, m }) => {
    const [state, leaders, , pending, slowScore, , others] = stores?.[target] ?? [
      row.state,
      row.leaders,
      0,
      row.pending,
      row.slowScore,
      0,
      { is_busy: row.isBusy },
    ];
    row = {
      s,
      state,
      leaders,
      pending,
      slowScore,
      isBusy: others?.is_busy ?? false,
      networkSlow: others?.network !== undefined,
      status: statusOf(status_ms?.[0]),
      clientRefused: Object.keys(err ?? {}).some((kind) => kind.includes('connection refused')),
      peersReport: Object.keys(m ?? {}).length > 0,
    };
    return row;
  });
}

function statusOf(recorded: number | string | undefined): KillRow['status'] {
  if (typeof recorded === 'number') return 'ok';
  return recorded === 'refused' ? 'refused' : 'other';
}
