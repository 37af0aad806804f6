/** What a node is: a member of the PD group, or a store. */
export type NodeRole = 'pd' | 'store';

/** `paused`: the kernel shows the process as stopped (SIGSTOP). */
export type NodeState = 'running' | 'paused' | 'exited';

/**
 * What labd knows of one node; the JSON of `labctl ps --json` and `labctl inspect`.
 *
 * `stoppedByRequest` tells *stopped by request* from *died*: it is true only when the present end was asked for.
 */
export interface NodeReport {
  readonly name: string;
  readonly role: NodeRole;
  readonly state: NodeState;
  readonly pid: number | null;
  /** Start of the process in kernel ticks since boot: with `pid` it names one process for good. Null off Linux. */
  readonly processStart: string | null;
  /** 128 + signal number when a signal ended it, as a shell and Docker say it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly stoppedByRequest: boolean;
  /** How many times a process was started for this node since the lab was made. */
  readonly starts: number;
  /** `host:port` of PD's client port or of the store's client port. */
  readonly address: string;
  readonly clientUrl?: string;
  readonly statusAddress?: string;
  readonly dataDir: string;
  /** Its data folder holds something. A node that is started without data is a new one. */
  readonly hasData: boolean;
  readonly argv: readonly string[];
}

/** Answer of a start: a node that runs (paused included) is left alone. */
export interface StartAnswer {
  readonly outcome: 'started' | 'already-running';
  readonly node: NodeReport;
}

/** Answer of a stop: `killed` when SIGTERM was not enough within the grace. */
export interface StopAnswer {
  readonly outcome: 'stopped' | 'killed' | 'already-exited';
  readonly node: NodeReport;
}

/** Answer of an unpause: `not-running` when there is no process that could go on. */
export interface UnpauseAnswer {
  readonly outcome: 'resumed' | 'already-running' | 'not-running';
  readonly node: NodeReport;
}

/** Who answers behind labd's port. */
export interface LabIdentity {
  readonly labId: string;
  readonly dir: string;
  readonly pid: number;
}
