import { Counter, exponentialBuckets, Gauge, Histogram, Registry } from 'prom-client';
import type { Instant } from '../domain/ids.js';
import type { Phase } from '../domain/phases.js';
import { CLOSED_PHASES, OPEN_PHASES } from '../domain/phases.js';
import type { RulingKind } from '../domain/proposal.js';
import { bounded } from './bounded.js';
import { inTime } from './in-time.js';

/** How many tickets are in each phase; a phase that is left out has none. */
export type TicketCounts = Readonly<Partial<Record<Phase, number>>>;

export interface MetricsOptions {
  readonly clock: { now(): number };
  /** Asked at each scrape. If it fails or takes too long, `medic_tickets` is absent: unknown is not zero. */
  readonly ticketCounts: () => Promise<TicketCounts>;
  /** Default 2000. */
  readonly ticketCountsWithinMs?: number;
}

/** What Medic counts about itself. Told by activities and sinks, never by workflow code, which is replayed. */
export interface Metrics {
  readonly registry: Registry;
  ticketMoved(move: { readonly subject: string; readonly to: Phase }): void;
  ruled(kind: RulingKind): void;
  looked(): void;
  acted(outcome: ActResult): void;
  /** From the beginning of the trouble to the ticket, to the end of the act, to the proof. */
  took(step: { readonly subject: string; readonly what: 'detect' | 'repair' | 'prove'; readonly ms: number }): void;
  /** The subject was sampled at this time; older times than the last are ignored. */
  observed(sample: { readonly subject: string; readonly at: Instant }): void;
  /** The patrol reported to the desk. */
  reported(): void;
}

export type ActResult = 'ok' | 'failed' | 'refused' | 'unknown';

/** More subjects than this are counted together as `other`. */
const MAX_SUBJECTS = 50;
/** 0.5 s to about 70 min. */
const BUCKETS = exponentialBuckets(0.5, 2, 14);

/** Metrics in a registry of their own, so that several instances in one process do not mix. */
export function createMetrics({ clock, ticketCounts, ticketCountsWithinMs = 2_000 }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const subjectLabel = bounded(MAX_SUBJECTS);
  const seconds = (what: string, help: string) =>
    new Histogram({ name: `medic_seconds_to_${what}`, help, labelNames: ['subject'], buckets: BUCKETS, registers });

  const moves = new Counter({
    name: 'medic_ticket_moves_total',
    help: 'Moves of tickets by the phase they led to.',
    labelNames: ['subject', 'to'],
    registers,
  });
  const rulings = new Counter({
    name: 'medic_rulings_total',
    help: 'Rulings of the policy kernel.',
    labelNames: ['kind'],
    registers,
  });
  const looks = new Counter({ name: 'medic_looks_total', help: 'Read-only steps that were carried out.', registers });
  const acts = new Counter({
    name: 'medic_acts_total',
    help: 'Mutating steps by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const observations = new Counter({
    name: 'medic_observations_total',
    help: 'Samples of a subject that its patrol took.',
    labelNames: ['subject'],
    registers,
  });
  const reports = new Counter({ name: 'medic_reports_total', help: 'Reports of patrols to their desks.', registers });
  const times = {
    detect: seconds('detect', 'From the beginning of the trouble to its ticket.'),
    repair: seconds('repair', 'From the beginning of the trouble to the end of the act that repaired it.'),
    prove: seconds('prove', 'From the beginning of the trouble to the proof of its repair.'),
  };
  const observed = observationAge({ clock, registry });
  ticketGauge({ ticketCounts, withinMs: ticketCountsWithinMs, registry });

  return {
    registry,
    ticketMoved: ({ subject, to }) => moves.inc({ subject: subjectLabel(subject), to }),
    ruled: (kind) => rulings.inc({ kind }),
    looked: () => looks.inc(),
    acted: (outcome) => acts.inc({ outcome }),
    took: ({ subject, what, ms }) => times[what].observe({ subject: subjectLabel(subject) }, ms / 1_000),
    observed: ({ subject, at }) => {
      observations.inc({ subject: subjectLabel(subject) });
      observed(subjectLabel(subject), Date.parse(at));
    },
    reported: () => reports.inc(),
  };
}

/** Computed when scraped, so it rises while nobody observes: a stuck patrol shows. */
function observationAge({ clock, registry }: { clock: MetricsOptions['clock']; registry: Registry }) {
  const lastMs = new Map<string, number>();
  new Gauge({
    name: 'medic_last_observation_age_seconds',
    help: 'Time since the last sample of a subject.',
    labelNames: ['subject'],
    registers: [registry],
    collect() {
      for (const [subject, atMs] of lastMs) this.set({ subject }, Math.max(0, clock.now() - atMs) / 1_000);
    },
  });
  return (subject: string, atMs: number) => lastMs.set(subject, Math.max(atMs, lastMs.get(subject) ?? atMs));
}

interface TicketGaugeOptions {
  readonly ticketCounts: MetricsOptions['ticketCounts'];
  readonly withinMs: number;
  readonly registry: Registry;
}

function ticketGauge({ ticketCounts, withinMs, registry }: TicketGaugeOptions): void {
  new Gauge({
    name: 'medic_tickets',
    help: 'Tickets by phase. Absent while the counts cannot be had.',
    labelNames: ['phase'],
    registers: [registry],
    async collect() {
      const counts = await inTime(ticketCounts, withinMs).catch(() => null);
      this.reset();
      if (counts === null) return;
      for (const phase of [...OPEN_PHASES, ...CLOSED_PHASES]) this.set({ phase }, counts[phase] ?? 0);
    },
  });
}
