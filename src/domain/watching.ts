import type { Instant } from './ids.js';
import { type Broken, type Check, fingerprint, isWhole, type Report, type Violation } from './violation.js';

/**
 * What a watch remembers between two samples. Plain JSON, so that it can travel in a heartbeat; bounded by the number of
 * invariants and of what is broken or was broken lately.
 */
export interface WatchState {
  /** By fingerprint: everything broken or not yet clean for long enough. */
  readonly tracks: Readonly<Record<string, Track>>;
  /** By invariant: known samples in a row, up to this one. */
  readonly knownRuns: Readonly<Record<string, number>>;
}

/** One thing that is or was broken. */
export interface Track {
  readonly violation: Violation;
  /** Bad samples without a good one between them. Unknown samples do not count and do not interrupt. */
  readonly bad: number;
  /** Good samples in a row since the last bad one; an unknown sample starts the count again. */
  readonly good: number;
  /** It was past its grace and has not been cleared since. */
  readonly filed: boolean;
}

export interface Sampling {
  readonly subject: string;
  readonly at: Instant;
  /** Bad samples before something is active. */
  readonly graceSamples: number;
  /** Good samples in a row before something is cleared. */
  readonly clearSamples: number;
}

/** The part of a report that follows from the samples. */
export type Findings = Pick<Report, 'active' | 'suspect' | 'judged'>;

/** Before the first sample: nothing is known, so nothing is judged. */
export const NOTHING_WATCHED: WatchState = { tracks: {}, knownRuns: {} };

/**
 * Takes one sample in. *Unknown never counts*: it makes nothing active, and nothing clean. A cleared violation that comes
 * back needs its whole grace again; one that flickers while it is active stays active.
 *
 * @param checks - what this sample says; an invariant without a check counts as unknown
 */
export function advance(
  state: WatchState,
  checks: readonly Check[],
  sampling: Sampling,
): { readonly state: WatchState; readonly findings: Findings } {
  const next = { tracks: nextTracks(state, checks, sampling), knownRuns: nextKnownRuns(state, checks) };
  return { state: next, findings: findingsOf(next, sampling) };
}

function nextTracks(state: WatchState, checks: readonly Check[], sampling: Sampling): Record<string, Track> {
  const byInvariant = new Map(checks.map((check) => [check.invariant, check]));
  const broken = new Map(checks.flatMap((check) => brokenOf(check, sampling.subject)));
  const kept = Object.entries(state.tracks).flatMap(([id, track]): [string, Track][] => {
    const now = broken.get(id);
    broken.delete(id);
    if (now) return [[id, worse(track, now, sampling)]];
    const next = isUnknown(byInvariant.get(track.violation.invariant), track) ? { ...track, good: 0 } : better(track);
    return next.good >= (next.filed ? sampling.clearSamples : 1) ? [] : [[id, next]];
  });
  const fresh = [...broken].map(([id, now]): [string, Track] => [id, worse(null, now, sampling)]);
  return Object.fromEntries([...kept, ...fresh]);
}

interface BrokenNow extends Broken {
  readonly invariant: string;
  readonly fingerprint: string;
}

function brokenOf(check: Check, subject: string): [string, BrokenNow][] {
  if (!check.known) return [];
  return check.broken.map((broken) => {
    const id = fingerprint(subject, check.invariant, broken.target);
    return [id, { ...broken, invariant: check.invariant, fingerprint: id }];
  });
}

function isUnknown(check: Check | undefined, { violation: { target } }: Track): boolean {
  if (!check?.known) return true;
  return target !== null && (check.unjudged ?? []).includes(target);
}

function worse(track: Track | null, now: BrokenNow, { at, graceSamples }: Sampling): Track {
  const bad = (track?.bad ?? 0) + 1;
  const violation = { ...now, since: track?.violation.since ?? at };
  return { violation, bad, good: 0, filed: track?.filed === true || bad >= graceSamples };
}

const better = (track: Track): Track => ({ ...track, bad: 0, good: track.good + 1 });

function nextKnownRuns(state: WatchState, checks: readonly Check[]): Record<string, number> {
  return Object.fromEntries(
    checks.map((check) => [check.invariant, isWhole(check) ? (state.knownRuns[check.invariant] ?? 0) + 1 : 0]),
  );
}

function findingsOf({ tracks, knownRuns }: WatchState, { clearSamples }: Sampling): Findings {
  const all = Object.values(tracks);
  const active = all.filter((track) => track.filed && track.bad > 0);
  const suspect = all.filter((track) => !track.filed || track.bad === 0);
  return {
    active: active.map(({ violation }) => violation).sort(bySince),
    suspect: suspect.map(({ violation }) => violation.fingerprint).sort(),
    judged: Object.keys(knownRuns).filter((name) => (knownRuns[name] ?? 0) >= clearSamples),
  };
}

/** The oldest first; those of one sample by name, so that equal states give equal reports. */
function bySince(a: Violation, b: Violation): number {
  return a.since.localeCompare(b.since) || a.fingerprint.localeCompare(b.fingerprint);
}
