import type { StoreMetrics } from './metrics.js';
import { createSlowScore, type SlowScore } from './slow-score.js';
import type { ProbeTimes } from './times.js';
import type { LinkState } from './transport.js';

export interface InspectorOptions {
  readonly storeId: number;
  readonly others: () => readonly number[];
  readonly ping: (storeId: number, seq: number) => void;
  readonly linkState: (storeId: number) => LinkState;
  readonly times: ProbeTimes;
  readonly monotonicMs: () => number;
  readonly metrics: StoreMetrics;
}

/** Looks again and again at how fast the other stores answer and whether this process itself keeps time. */
export interface Inspector {
  /** This store's own score, 1 to 100. */
  slowScore(): number;
  /** Scores of other stores as seen from here; those at 1 are left out, as PD does not show them. */
  networkSlowScores(): Record<string, number>;
  onPong(storeId: number, seq: number): void;
  /** The connection broke: what was under way says nothing about speed. */
  onDown(storeId: number): void;
  stop(): void;
}

/**
 * The store's own score is judged over ten seconds and falls from 100 to 1 in five minutes, as recorded, in every profile:
 * what starves a store on a busy machine is not faster with it, and a score of 100 costs the store its leaders.
 */
const STORE_ROUND_MS = 10_000;
const STORE_RECOVERY_MS = 300_000;
/** A sleep counts as no more than this: it is one late moment, however long it was. */
const LONGEST_MOMENT_MS = 1_000;
/** A probe of the store itself is slow when the process woke up this late. */
const LATE_MS = 500;
/** Faster answers are not recorded by TiKV, so the count of samples is the signal. */
const RECORDED_FROM_MS = 100;
const MAX_UNDER_WAY = 60;
/** Who woke up later than this part of the time that makes a round slow cannot tell whether the others answered in time. */
const SLEPT = 0.5;

interface Probe {
  readonly seq: number;
  readonly sentAt: number;
}

/** Starts probing at once. */
export function startInspector(options: InspectorOptions): Inspector {
  const { metrics, monotonicMs, times } = options;
  const own = createSlowScore({ recoveryMs: STORE_RECOVERY_MS });
  const scores = new Map<number, SlowScore>();
  const underWay = new Map<number, Probe[]>();
  let seq = 0;
  let wokenAt = monotonicMs();
  let ownRound = { slow: 0, total: 0, elapsedMs: 0 };

  function round(): void {
    const now = monotonicMs();
    const elapsedMs = now - wokenAt;
    const lateMs = elapsedMs - times.everyMs;
    wokenAt = now;
    judgeSelf({ elapsedMs, lateMs });
    if (lateMs > SLEPT * times.slowFrom * times.everyMs) underWay.clear();
    for (const storeId of options.others()) probe(storeId, now);
    show();
  }

  function show(): void {
    metrics.slowScore.set({ type: 'raft' }, own.value);
    metrics.slowScore.set({ type: 'network' }, Math.max(1, ...[...scores.values()].map((score) => score.value)));
  }

  function judgeSelf({ elapsedMs, lateMs }: { readonly elapsedMs: number; readonly lateMs: number }): void {
    ownRound = {
      slow: ownRound.slow + (lateMs > LATE_MS ? 1 : 0),
      total: ownRound.total + 1,
      elapsedMs: ownRound.elapsedMs + Math.min(elapsedMs, LONGEST_MOMENT_MS),
    };
    if (ownRound.elapsedMs < STORE_ROUND_MS) return;
    own.endRound(ownRound);
    ownRound = { slow: 0, total: 0, elapsedMs: 0 };
  }

  function probe(storeId: number, now: number): void {
    // Nothing listens there: that is a fact about the process, not about the network.
    const refused = options.linkState(storeId) === 'refused';
    const unanswered = refused ? [] : (underWay.get(storeId) ?? []);
    score(storeId).endRound({ slow: unanswered.length >= times.slowFrom ? 1 : 0, total: 1, elapsedMs: times.everyMs });
    if (refused) underWay.delete(storeId);
    else underWay.set(storeId, [...unanswered, { seq: ++seq, sentAt: now }].slice(-MAX_UNDER_WAY));
    options.ping(storeId, seq);
  }

  function score(storeId: number): SlowScore {
    const known = scores.get(storeId) ?? createSlowScore({ recoveryMs: times.recoveryMs });
    scores.set(storeId, known);
    return known;
  }

  // Whoever scrapes before the first round finds the scores of a store that has seen nothing bad.
  show();
  const timer = setInterval(round, times.everyMs);
  return {
    slowScore: () => own.value,
    networkSlowScores: () =>
      Object.fromEntries([...scores].filter(([, { value }]) => value > 1).map(([id, { value }]) => [id, value])),
    onPong(storeId, answered) {
      const probes = underWay.get(storeId) ?? [];
      const probe = probes.find((candidate) => candidate.seq === answered);
      if (probe === undefined) return;
      underWay.set(
        storeId,
        probes.filter((candidate) => candidate.seq > answered),
      );
      const tookMs = monotonicMs() - probe.sentAt;
      if (tookMs < RECORDED_FROM_MS) return;
      metrics.inspectNetworkSeconds.observe({ source: options.storeId, target: storeId }, tookMs / 1000);
    },
    onDown: (storeId) => void underWay.delete(storeId),
    stop: () => clearInterval(timer),
  };
}
