import { execa } from 'execa';
import { HeadTail } from './head-tail.js';
import { type Host, NOTHING_RAN, type Outcome, type ShellRequest } from './host.js';
import { ProcessGroup } from './process-group.js';

export interface LocalHostOptions {
  readonly name: string;
  /** PATH of the commands. Nothing else of Medic's own environment reaches them. */
  readonly path: string;
  /** Further variables, for tools that need them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default `/`, so that no relative path leads into Medic's own folders. */
  readonly cwd?: string;
  /** Milliseconds on a clock that only goes forward. */
  readonly clock?: () => number;
}

const DEFAULTS = { killAfterMs: 2_000, headBytes: 16_384, tailBytes: 16_384, sinkBytes: 16 * 1024 * 1024 };

/** Silence after the command's exit before what it left behind is ended; late output re-arms it. */
const QUIET_MS = 150;

/** How long a stream may stay open once its whole group is gone: then a process has escaped. */
const ESCAPE_MS = 500;

/** Runs commands on this machine, each in its own process group and under a small fixed environment. */
export function createLocalHost(options: LocalHostOptions): Host {
  const { name, path, env, cwd = '/', clock = () => performance.now() } = options;
  const start = (command: string) =>
    execa('bash', ['--noprofile', '--norc', '-c', command], {
      env: { LANG: 'C.UTF-8', ...env, PATH: path },
      extendEnv: false,
      cwd,
      detached: true,
      stdin: 'ignore',
      buffer: false,
      reject: false,
    });
  return { name, run: (request, signal) => run({ ...DEFAULTS, ...request }, { start, clock, signal }) };
}

type Child = ReturnType<typeof execa>;
type Request = ShellRequest & typeof DEFAULTS;

interface Means {
  readonly start: (command: string) => Child;
  readonly clock: () => number;
  readonly signal: AbortSignal | undefined;
}

async function run(request: Request, { start, clock, signal }: Means): Promise<Outcome> {
  if (signal?.aborted) return { ...NOTHING_RAN, canceled: true, failure: 'canceled before it started' };
  const began = clock();
  const child = start(request.command);
  const { pid } = child;
  if (pid === undefined) return { ...NOTHING_RAN, failure: await whyNotStarted(child) };
  const output = new HeadTail(request);
  const flags = await supervise({ child, group: new ProcessGroup(pid), request, output, signal });
  return { ...NOTHING_RAN, ...flags, ...output.read(), durationMs: Math.round(clock() - began) };
}

async function whyNotStarted(child: Child): Promise<string> {
  const result = await child;
  return String('originalMessage' in result ? result.originalMessage : 'it could not be started');
}

interface Supervised {
  readonly child: Child;
  readonly group: ProcessGroup;
  readonly request: Request;
  readonly output: HeadTail;
  readonly signal: AbortSignal | undefined;
}

type Flags = Pick<Outcome, 'exitCode' | 'signal' | 'timedOut' | 'canceled' | 'leftover' | 'escaped'>;

/**
 * Own timers, because those of the library wait for pipes that a grandchild may hold open: deadline and cancellation
 * end the whole group, silence after the exit ends what was left behind, and the wait for the streams has a bound.
 */
async function supervise({ child, group, request, output, signal }: Supervised): Promise<Flags> {
  const ended = { timedOut: false, canceled: false };
  let kill: NodeJS.Timeout | undefined;
  const stop = (why: keyof typeof ended) => {
    if (kill) return;
    ended[why] = true;
    group.signal('SIGTERM');
    kill = setTimeout(() => group.signal('SIGKILL'), request.killAfterMs);
  };
  const cancel = () => stop('canceled');
  const deadline = setTimeout(() => stop('timedOut'), request.timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  const stream = readOutput(child, request, output);
  try {
    const exit = await exitOf(child);
    const leftover = await clearUp({ group, stream });
    const escaped = !(await settlesWithin(stream.closed, ESCAPE_MS));
    stream.destroy();
    return { ...exit, ...ended, leftover: leftover && !ended.timedOut && !ended.canceled, escaped };
  } finally {
    clearTimeout(deadline);
    clearTimeout(kill);
    signal?.removeEventListener('abort', cancel);
  }
}

const exitOf = (child: Child): Promise<{ exitCode: number | null; signal: string | null }> =>
  new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });

interface OutputStream {
  readonly closed: Promise<void>;
  /** Resolves after `QUIET_MS` without output, or when the stream is closed. */
  quiet(): Promise<void>;
  destroy(): void;
}

/** Standard output and error in one, in the order in which they arrive. */
function readOutput({ stdout, stderr }: Child, request: Request, output: HeadTail): OutputStream {
  const streams = [stdout, stderr].filter((stream) => stream !== null && stream !== undefined);
  let lastChunk = performance.now();
  let sunk = 0;
  const take = (chunk: Buffer) => {
    lastChunk = performance.now();
    output.push(chunk);
    const part = chunk.subarray(0, Math.max(0, request.sinkBytes - sunk));
    sunk += part.length;
    if (part.length > 0) request.sink?.(part);
  };
  for (const stream of streams) stream.on('data', take);
  const closed = Promise.all(
    streams.map((stream) => new Promise<void>((resolve) => stream.once('close', () => resolve()))),
  ).then(() => undefined);
  const quiet = async (): Promise<void> => {
    const silence = () => QUIET_MS - (performance.now() - lastChunk);
    lastChunk = performance.now();
    while (silence() > 0 && !(await settlesWithin(closed, silence())));
  };
  return { closed, quiet, destroy: () => streams.forEach((stream) => void stream.destroy()) };
}

/** Ends what the command left in its group. `true` when there was something. */
async function clearUp({ group, stream }: { group: ProcessGroup; stream: OutputStream }): Promise<boolean> {
  await stream.quiet();
  return group.isAlive && group.signal('SIGKILL');
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
