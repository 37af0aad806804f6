import type { RegionReport } from '../model.js';
import type { Kind } from './kind.js';
import { confVerGrowth, isFinished, type Step } from './step.js';
import { stepTimeoutMs } from './times.js';

/** What a scheduler, a checker or a person wants done with one region. */
export interface Draft {
  /** Who wants it, in PD's words: `balance-leader-scheduler`, `admin-move-peer`. */
  readonly desc: string;
  readonly brief: string;
  readonly kinds: readonly Kind[];
  /** As it was when this was decided. */
  readonly report: RegionReport;
  readonly steps: readonly Step[];
  readonly priority: Priority;
}

/** A draft of a higher priority replaces a running operator: people before repair before balance. */
export type Priority = 'balance' | 'repair' | 'admin';

/** In PD's order, in which its API numbers them. */
export const STATUSES = ['CREATED', 'STARTED', 'SUCCESS', 'CANCEL', 'REPLACE', 'EXPIRED', 'TIMEOUT'] as const;
export type Status = (typeof STATUSES)[number];

/** The steps of one region on their way (PD: `operator.Operator`). */
export interface Operator {
  readonly desc: string;
  readonly brief: string;
  readonly kinds: readonly Kind[];
  readonly priority: Priority;
  readonly regionId: number;
  readonly epoch: RegionReport['region']['epoch'];
  readonly sizeMib: number;
  readonly steps: readonly Step[];
  readonly timeoutMs: readonly number[];
  /** Steps that are finished. */
  readonly currentStep: number;
  readonly createdNs: bigint;
  readonly stepStartedNs: bigint;
  readonly status: Status;
  readonly endedNs: bigint | null;
  /** Why it was cancelled or replaced. */
  readonly reason: string | null;
}

/** How far an operator is in the order of {@link Priority}. */
export function rankOf({ priority }: Pick<Draft, 'priority'>): number {
  return ['balance', 'repair', 'admin'].indexOf(priority);
}

export function startOperator(draft: Draft, { nowNs, secondMs }: { nowNs: bigint; secondMs: number }): Operator {
  const { desc, brief, kinds, priority, report, steps } = draft;
  const sizeMib = report.approximateSize;
  return {
    desc,
    brief,
    kinds,
    priority,
    steps,
    sizeMib,
    regionId: report.region.id,
    epoch: report.region.epoch,
    timeoutMs: steps.map((step) => stepTimeoutMs(step, { sizeMib, secondMs })),
    currentStep: 0,
    createdNs: nowNs,
    stepStartedNs: nowNs,
    status: 'STARTED',
    endedNs: null,
    reason: null,
  };
}

/** The operator after a look at its region: steps that are done are passed, the last one ends it, so does time. */
export function advance(operator: Operator, report: RegionReport, nowNs: bigint): Operator {
  if (operator.status !== 'STARTED') return operator;
  const done = operator.steps.slice(operator.currentStep).findIndex((step) => !isFinished(step, report));
  const currentStep = done === -1 ? operator.steps.length : operator.currentStep + done;
  const stepStartedNs = currentStep === operator.currentStep ? operator.stepStartedNs : nowNs;
  const next = { ...operator, currentStep, stepStartedNs };
  if (currentStep === operator.steps.length) return ended(next, { status: 'SUCCESS', nowNs });
  const timeoutMs = operator.timeoutMs[currentStep] ?? 0;
  const late = nowNs - stepStartedNs > BigInt(Math.round(timeoutMs * 1e6));
  return late ? ended(next, { status: 'TIMEOUT', nowNs }) : next;
}

/** The operator at its end. */
export function ended(
  operator: Operator,
  {
    status,
    nowNs,
    reason = null,
  }: { readonly status: Status; readonly nowNs: bigint; readonly reason?: string | null },
): Operator {
  return { ...operator, status, endedNs: nowNs, reason };
}

/** The step that is to be done next; undefined behind the last one. */
export function stepOf({ steps, currentStep }: Operator): Step | undefined {
  return steps[currentStep];
}

/**
 * Did the region change in ways that the operator does not explain? Growth of `conf_ver` beyond the steps up to the
 * present one, or any other `version`, means that somebody else changed it.
 */
export function isOvertaken(operator: Operator, report: RegionReport): boolean {
  const { confVer, version } = report.region.epoch;
  const reached = operator.steps.slice(0, operator.currentStep + 1);
  const explained = reached.reduce((sum, step) => sum + confVerGrowth(step, report), 0);
  return version !== operator.epoch.version || confVer - operator.epoch.confVer > explained;
}
