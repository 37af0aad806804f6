import type { RegionReport } from '../model.js';
import { Influences } from './influence.js';
import { countedKind, type Kind } from './kind.js';
import type { StoreLimits } from './limits.js';
import { advance, type Draft, ended, isOvertaken, type Operator, rankOf, startOperator, stepOf } from './operator.js';
import { type Order, orderFor } from './order.js';
import { type Step, stepFault, targetsOf } from './step.js';
import type { ScheduleTimes } from './times.js';

export interface OperatorsOptions {
  readonly times: ScheduleTimes;
  readonly limits: StoreLimits;
  readonly region: (id: number) => RegionReport | undefined;
  /** Can the store still take what a step brings? */
  readonly isAlive: (storeId: number) => boolean;
  readonly nowNs: () => bigint;
  readonly send: (order: Order) => void;
  /** An operator began or ended. */
  readonly onChange: (operator: Operator) => void;
}

/** What became of a draft. */
export type Added = 'added' | 'region-gone' | 'region-changed' | 'region-busy' | 'store-limited';

interface Running {
  readonly operator: Operator;
  readonly sentNs: bigint;
}

/**
 * The operators of one leader: at most one per region (PD: `operator.Controller`). A step is told to the region's leader
 * when it is due, again with each heartbeat of the region, and again after a while, until the region shows it.
 */
export class Operators {
  readonly #options: OperatorsOptions;
  readonly #running = new Map<number, Running>();
  /** The last operator of each region that ended. */
  #records: readonly Operator[] = [];

  constructor(options: OperatorsOptions) {
    this.#options = options;
  }

  get running(): readonly Operator[] {
    return [...this.#running.values()].map(({ operator }) => operator);
  }

  /** Those that ended not long ago, oldest first. */
  get records(): readonly Operator[] {
    const { nowNs, times } = this.#options;
    const since = nowNs() - nanos(times.recordMs);
    this.#records = this.#records.filter(({ endedNs }) => (endedNs ?? 0n) >= since);
    return this.#records;
  }

  has(regionId: number): boolean {
    return this.#running.has(regionId);
  }

  /** How many count against the schedule limit of this kind. */
  count(kind: Kind): number {
    return this.running.filter(({ kinds }) => countedKind(kinds) === kind).length;
  }

  /** What is still to come of all that runs. */
  influences(): Influences {
    const influences = new Influences();
    for (const operator of this.running) {
      const report = this.#options.region(operator.regionId);
      if (report !== undefined) influences.addOperator(operator, report);
    }
    return influences;
  }

  /** Starts a draft, in place of one of lower priority, and tells its first step. */
  add(draft: Draft): Added {
    const refusal = this.#refusal(draft);
    if (refusal !== null) return refusal;
    const { nowNs, times, limits, onChange } = this.#options;
    if (!limits.take(draft)) return 'store-limited';
    const regionId = draft.report.region.id;
    this.#end(regionId, { status: 'REPLACE', reason: 'replaced by another operator' });
    const operator = startOperator(draft, { nowNs: nowNs(), secondMs: times.secondMs });
    this.#running.set(regionId, { operator, sentNs: 0n });
    onChange(operator);
    this.#look(draft.report, 'push');
    return 'added';
  }

  /** A region reported: its operator goes on, or ends. */
  hear(report: RegionReport): void {
    this.#look(report, 'heartbeat');
  }

  /** Tells again what did not show for too long, and ends what took too long or lost its region. */
  push(): void {
    for (const [regionId, { operator, sentNs }] of this.#running) {
      const report = this.#options.region(regionId);
      if (report === undefined) this.#end(regionId, { status: 'CANCEL', reason: 'region not found' });
      else if (this.#options.nowNs() - sentNs >= this.#repeatNs(stepOf(operator))) this.#look(report, 'push');
    }
  }

  /** `false` if the region has none. */
  cancel(regionId: number, reason: string): boolean {
    return this.#end(regionId, { status: 'CANCEL', reason });
  }

  #refusal(draft: Draft): Added | null {
    const known = this.#options.region(draft.report.region.id);
    if (known === undefined) return 'region-gone';
    const [then, now] = [draft.report.region.epoch, known.region.epoch];
    if (then.version !== now.version || then.confVer !== now.confVer) return 'region-changed';
    const old = this.#running.get(known.region.id);
    return old === undefined || rankOf(draft) > rankOf(old.operator) ? null : 'region-busy';
  }

  #look(report: RegionReport, occasion: 'heartbeat' | 'push'): void {
    const regionId = report.region.id;
    const running = this.#running.get(regionId);
    if (running === undefined) return;
    const { nowNs } = this.#options;
    const operator = advance(running.operator, report, nowNs());
    this.#running.set(regionId, { operator, sentNs: running.sentNs });
    if (operator.status !== 'STARTED') return this.#file(operator);
    const fault = occasion === 'heartbeat' ? this.#faultOf(operator, report) : null;
    if (fault !== null) this.#end(regionId, { status: 'CANCEL', reason: fault });
    else this.#tell(operator, report);
  }

  #faultOf(operator: Operator, report: RegionReport): string | null {
    const step = stepOf(operator);
    if (step === undefined) return null;
    if (isOvertaken(operator, report)) return 'stale operator, confver does not meet expectations';
    if (!targetsOf(step).every(this.#options.isAlive)) return 'target store is down or gone';
    return stepFault(step, report);
  }

  #tell(operator: Operator, report: RegionReport): void {
    const step = stepOf(operator);
    const order = step === undefined ? null : orderFor(step, report);
    this.#running.set(operator.regionId, { operator, sentNs: this.#options.nowNs() });
    if (order !== null) this.#options.send(order);
  }

  #end(regionId: number, how: { readonly status: Operator['status']; readonly reason: string }): boolean {
    const running = this.#running.get(regionId);
    if (running === undefined) return false;
    this.#file(ended(running.operator, { ...how, nowNs: this.#options.nowNs() }));
    return true;
  }

  #file(operator: Operator): void {
    this.#running.delete(operator.regionId);
    this.#records = [...this.records, operator];
    this.#options.onChange(operator);
  }

  #repeatNs(step: Step | undefined): bigint {
    const { repeatFastMs, repeatSlowMs } = this.#options.times;
    return nanos(step?.kind === 'add-learner' || step?.kind === 'remove-peer' ? repeatSlowMs : repeatFastMs);
  }
}

function nanos(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}
