import type { StoreMetrics } from './metrics.js';
import { createSlowScore, type SlowScore } from './slow-score.js';
import type { LinkState } from './transport.js';

export interface InspectorOptions {
  readonly storeId: number;
  readonly others: () => readonly number[];
  readonly ping: (storeId: number, seq: number) => void;
  readonly linkState: (storeId: number) => LinkState;
  readonly monotonicMs: () => number;
  readonly metrics: StoreMetrics;
}

/** Looks once per second at how fast the other stores answer and whether this process itself keeps time. */
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

/** TiKV probes each second and calls a probe slow after one second; neither is scaled by a profile. */
const PROBE_MS = 1_000;
/** From 100 to 1: ten minutes for the network, five for the store itself, as recorded. */
const NETWORK_RECOVERY_MS = 600_000;
const STORE_RECOVERY_MS = 300_000;
/** The store's own score is judged over this many probes. */
const STORE_ROUND = 10;
/** A probe of the store itself is slow when the process woke up this late. */
const LATE_MS = 500;
/** Faster answers are not recorded by TiKV, so the count of samples is the signal. */
const RECORDED_FROM_MS = 100;
const MAX_UNDER_WAY = 60;

interface Probe {
  readonly seq: number;
  readonly sentAt: number;
}

/** Starts probing at once. */
export function startInspector(options: InspectorOptions): Inspector {
  const { metrics, monotonicMs } = options;
  const own = createSlowScore({ recoveryMs: STORE_RECOVERY_MS });
  const scores = new Map<number, SlowScore>();
  const underWay = new Map<number, Probe[]>();
  let seq = 0;
  let wokenAt = monotonicMs();
  let ownRound = { slow: 0, total: 0 };

  function round(): void {
    const now = monotonicMs();
    const lateMs = now - wokenAt - PROBE_MS;
    wokenAt = now;
    judgeSelf(lateMs);
    // Who slept cannot tell whether the others answered in time.
    if (lateMs > LATE_MS) underWay.clear();
    for (const storeId of options.others()) probe(storeId, now);
    show();
  }

  function show(): void {
    metrics.slowScore.set({ type: 'raft' }, own.value);
    metrics.slowScore.set({ type: 'network' }, Math.max(1, ...[...scores.values()].map((score) => score.value)));
  }

  function judgeSelf(lateMs: number): void {
    ownRound = { slow: ownRound.slow + (lateMs > LATE_MS ? 1 : 0), total: ownRound.total + 1 };
    if (ownRound.total < STORE_ROUND) return;
    own.endRound({ ...ownRound, elapsedMs: STORE_ROUND * PROBE_MS });
    ownRound = { slow: 0, total: 0 };
  }

  function probe(storeId: number, now: number): void {
    // Nothing listens there: that is a fact about the process, not about the network.
    const refused = options.linkState(storeId) === 'refused';
    const unanswered = refused ? [] : (underWay.get(storeId) ?? []);
    score(storeId).endRound({ slow: Math.min(unanswered.length, 1), total: 1, elapsedMs: PROBE_MS });
    if (refused) underWay.delete(storeId);
    else underWay.set(storeId, [...unanswered, { seq: ++seq, sentAt: now }].slice(-MAX_UNDER_WAY));
    options.ping(storeId, seq);
  }

  function score(storeId: number): SlowScore {
    const known = scores.get(storeId) ?? createSlowScore({ recoveryMs: NETWORK_RECOVERY_MS });
    scores.set(storeId, known);
    return known;
  }

  // Whoever scrapes before the first round finds the scores of a store that has seen nothing bad.
  show();
  const timer = setInterval(round, PROBE_MS);
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
