import type { SequenceEvent } from './events.js';
import type { Phase, Seen } from './sequence.js';

export type Verdict = 'agrees' | 'earlier' | 'later' | 'only real' | 'only stand-in';

/** One event in both recordings; null where it never came. */
export interface Compared {
  readonly phase: Phase;
  readonly event: string;
  readonly realS: number | null;
  readonly standInS: number | null;
  readonly verdict: Verdict;
}

export interface Comparison {
  /** In the order of the real cluster. */
  readonly events: readonly Compared[];
  /** Events, each in time by itself, that follow each other on the real cluster and came the other way round, as `A < B`. */
  readonly swapped: readonly string[];
}

/** Two events that the real cluster showed closer together than this may come in either order. */
const CLOSE_S = 5;

/** Holds what the stand-in showed against what the real cluster showed, by order and by each event's own tolerance. */
export function compareSequences({ real, standIn }: { real: readonly Seen[]; standIn: readonly Seen[] }): Comparison {
  const shared = real.flatMap((seen) => {
    const other = standIn.find((one) => isSameEvent(one, seen));
    return other ? [[seen, other] as const] : [];
  });
  const inBoth = shared.map(([seen, other]) => compared(seen, verdictOf(seen.event, other.s - seen.s), other.s));
  const onlyReal = real.filter((seen) => !standIn.some((one) => isSameEvent(one, seen)));
  const onlyStandIn = standIn.filter((seen) => !real.some((one) => isSameEvent(one, seen)));
  const events = [
    ...inBoth,
    ...onlyReal.map((seen) => compared(seen, 'only real', null)),
    ...onlyStandIn.map((seen): Compared => ({ ...compared(seen, 'only stand-in', seen.s), realS: null })),
  ];
  const inTime = shared.filter(([seen, other]) => verdictOf(seen.event, other.s - seen.s) === 'agrees');
  const swapped = inTime.flatMap(([a, otherA]) =>
    inTime
      .filter(([b, otherB]) => b.phase === a.phase && a.s + CLOSE_S <= b.s && otherA.s > otherB.s)
      .map(([b]) => `${a.event.name} < ${b.event.name}`),
  );
  return { events: events.sort(byPhaseAndTime), swapped };
}

/** What does not agree, each as one line that stays the same while nothing changes but times. */
export function differencesOf({ events, swapped }: Comparison): string[] {
  const disagreeing = events.filter(({ verdict }) => verdict !== 'agrees');
  return [
    ...disagreeing.map(({ phase, event, verdict }) => `${verdict}: ${phase === 'after' ? 'healed, ' : ''}${event}`),
    ...swapped.map((pair) => `swapped: ${pair}`),
  ];
}

const compared = ({ phase, event, s }: Seen, verdict: Verdict, standInS: number | null): Compared => ({
  ...{ phase, event: event.name, realS: s, standInS, verdict },
});

const isSameEvent = (a: Seen, b: Seen): boolean => a.phase === b.phase && a.event.name === b.event.name;

function verdictOf({ toleranceS }: SequenceEvent, lateS: number): Verdict {
  if (Math.abs(lateS) <= toleranceS) return 'agrees';
  return lateS > 0 ? 'later' : 'earlier';
}

function byPhaseAndTime(a: Compared, b: Compared): number {
  if (a.phase !== b.phase) return a.phase === 'during' ? -1 : 1;
  return (a.realS ?? a.standInS ?? 0) - (b.realS ?? b.standInS ?? 0);
}
