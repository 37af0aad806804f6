import { AFTER, DURING, type Scene, type SequenceEvent, type Target } from './events.js';
import { type Recording, type Row, wholeRows } from './rows.js';

/** `during`: seconds after the fault. `after`: seconds after its healing. */
export type Phase = 'during' | 'after';

/** When something was seen first. */
export interface Seen {
  readonly phase: Phase;
  readonly event: SequenceEvent;
  readonly s: number;
}

/** The recorder of the real cluster wrote down when a healing was done, not when it began; its first effects came before. */
const HEALING_S = 1;

/** What a recording shows, in the order in which it shows it; what never came is absent. */
export function sequenceOf(recording: Recording): Seen[] {
  const rows = wholeRows(recording);
  const healedAtS = recording.healed_at_s ?? Number.POSITIVE_INFINITY;
  const untouched = rows.filter(({ s }) => s < 0);
  const during = rows.filter(({ s }) => s >= 0 && s < healedAtS - HEALING_S);
  const after = rows.filter(({ s }) => s >= healedAtS - HEALING_S);
  const before = untouched.at(-1) ?? rows[0];
  if (before === undefined) return [];
  const look = { before, target: targetOf(recording), pdLeaderBefore: recording.pd_leader_before };
  return [
    ...firstSeen({ phase: 'during', events: DURING, start: before, rows: during, look, zeroS: 0 }),
    ...firstSeen({
      phase: 'after',
      events: AFTER,
      start: during.at(-1) ?? before,
      rows: after,
      look,
      zeroS: healedAtS,
    }),
  ];
}

interface PhaseLook {
  readonly phase: Phase;
  readonly events: readonly SequenceEvent[];
  /** The last row before; what holds there already is nothing new. */
  readonly start: Row;
  readonly rows: readonly Row[];
  readonly look: Omit<Scene, 'row' | 'last'>;
  readonly zeroS: number;
}

function firstSeen({ phase, events, start, rows, look, zeroS }: PhaseLook): Seen[] {
  const seen = events.flatMap((event): Seen[] => {
    if (event.holds({ ...look, row: start, last: start })) return [];
    const row = rows.find((row, index) => event.holds({ ...look, row, last: rows[index - 1] ?? start }));
    return row === undefined ? [] : [{ phase, event, s: Math.max(0, Math.round((row.s - zeroS) * 10) / 10) }];
  });
  return seen.sort((a, b) => a.s - b.s);
}

/** The store that the words about a fault name; none for faults of PD. */
function targetOf({ what, stores_by_id }: Recording): Target | null {
  const name = /tikv-?(\d+)/.exec(what);
  const found = Object.entries(stores_by_id).find(([, store]) => store === name?.[0]);
  return name && found ? { id: found[0], number: Number(name[1]) } : null;
}
