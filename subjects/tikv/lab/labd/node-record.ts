import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { lookAtProcess, type ProcessIdentity } from './process-look.js';

/** The part of a node's report that is remembered across labds. */
export interface NodeRecord {
  readonly starts: number;
  readonly pid: number | null;
  readonly processStart: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stoppedByRequest: boolean;
  /** Neither died nor stopped by request: labd took it along when it ended, so the next labd starts it again. */
  readonly endedWithLabd: boolean;
}

/** Whether a new labd starts this node: it is new, or it ran until the labd before ended. */
export function startsWithLabd(record: NodeRecord | undefined): boolean {
  if (record === undefined) return true;
  const ranToTheEnd = record.finishedAt === null || record.endedWithLabd;
  return ranToTheEnd && !record.stoppedByRequest;
}

/**
 * The process of a record. Undefined for a node at rest, and off Linux, where a pid alone names nothing for good.
 */
export function identityOf({ pid, processStart }: NodeRecord): ProcessIdentity | undefined {
  return pid === null || processStart === null ? undefined : { pid, start: processStart };
}

/** Of a node that is new. */
export function neverStarted(at: Date): NodeRecord {
  return {
    starts: 0,
    pid: null,
    processStart: null,
    startedAt: at.toISOString(),
    finishedAt: null,
    exitCode: null,
    signal: null,
    stoppedByRequest: false,
    endedWithLabd: false,
  };
}

/** What a start changes. */
export function startedRecord({ pid }: ChildProcess, at: Date): Partial<NodeRecord> {
  return {
    pid: pid ?? null,
    processStart: pid === undefined ? null : (lookAtProcess(pid)?.start ?? null),
    startedAt: at.toISOString(),
    finishedAt: null,
    exitCode: null,
    signal: null,
    stoppedByRequest: false,
    endedWithLabd: false,
  };
}

/** What the end of its process changes. */
export function endedRecord({ code, signal, at }: NodeEnd): Partial<NodeRecord> {
  return { pid: null, processStart: null, finishedAt: at.toISOString(), exitCode: exitCodeOf(code, signal), signal };
}

/** How and when a process ended. */
export interface NodeEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly at: Date;
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number | null {
  return signal === null ? code : 128 + constants.signals[signal];
}
