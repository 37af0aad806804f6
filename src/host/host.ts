/** Where commands run, behind a transport: local, dry-run, recorded. Docker and ssh implement the same. */
export interface Host {
  readonly name: string;
  /**
   * Runs one command line by `bash --noprofile --norc -c`, exactly as policy parsed it. Never throws for what the
   * command does: exit codes, signals, timeouts and a missing bash are data.
   *
   * @param signal - ends the command's whole process group; the outcome then says `canceled`
   */
  run(request: ShellRequest, signal?: AbortSignal): Promise<Outcome>;
}

export interface ShellRequest {
  readonly command: string;
  /** Hard deadline: then TERM to the command's process group. */
  readonly timeoutMs: number;
  /** From TERM to KILL. Default 2 s. */
  readonly killAfterMs?: number;
  /** How much of the output the outcome carries. Default 16 KiB each. */
  readonly headBytes?: number;
  readonly tailBytes?: number;
  /** Gets the output as it comes, standard output and error in one, up to `sinkBytes` (default 16 MiB). */
  readonly sink?: (chunk: Uint8Array) => void;
  readonly sinkBytes?: number;
}

/** What became of a command. The flags are independent of each other: look at each one that matters. */
export interface Outcome {
  /** `null` when a signal ended it, or when it never ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The deadline passed and its group was signalled. */
  readonly timedOut: boolean;
  /** The caller's signal ended it. */
  readonly canceled: boolean;
  /** It left processes behind, which were ended. */
  readonly leftover: boolean;
  /** A process left its group and held the output open; it may still run. */
  readonly escaped: boolean;
  /** Why nothing ran (`ENOENT: ...`); `null` when it ran. */
  readonly failure: string | null;
  /** `head + tail` is the whole output when `bytes` is no more than both. */
  readonly head: string;
  readonly tail: string;
  /** Of the whole output. */
  readonly bytes: number;
  readonly durationMs: number;
}

/** An outcome in which nothing happened, to build others from. */
export const NOTHING_RAN: Outcome = {
  exitCode: null,
  signal: null,
  timedOut: false,
  canceled: false,
  leftover: false,
  escaped: false,
  failure: null,
  head: '',
  tail: '',
  bytes: 0,
  durationMs: 0,
};

/** It ran to its end by itself, with exit code 0. */
export const succeeded = ({ exitCode, timedOut, canceled }: Outcome): boolean =>
  exitCode === 0 && !timedOut && !canceled;
