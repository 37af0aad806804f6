import { MedicError } from '../domain/errors.js';
import { type Instant, instant } from '../domain/ids.js';
import { type Host, NOTHING_RAN, type Outcome } from './host.js';
import { EXIT_CLAIMED, readerScript, wrapperScript } from './journal-scripts.js';

/** Names one try of one step. The same key never runs twice on one host. */
export interface JournalKey {
  readonly run: string;
  readonly proposal: string;
  readonly step: number;
  readonly try: number;
}

export interface JournalLimits {
  readonly timeoutMs: number;
  /** From TERM to KILL. Default 2 s. */
  readonly killAfterMs?: number;
  /** Output kept on the host; more is drained. Default 16 MiB. */
  readonly outBytes?: number;
  readonly headBytes?: number;
  readonly tailBytes?: number;
}

/** What the host's journal says about a key. */
export type JournalEntry =
  /** The command was not started, and no trace of it exists. */
  | { readonly state: 'none' }
  /** `running` false: whatever supervised it was killed, so how it ended is not known. */
  | { readonly state: 'started'; readonly startedAt: Instant; readonly running: boolean; readonly output: Output }
  | {
      readonly state: 'finished';
      readonly startedAt: Instant;
      readonly finishedAt: Instant;
      readonly outcome: Outcome;
    };

type Output = Pick<Outcome, 'head' | 'tail' | 'bytes'>;

export type OnceAnswer =
  | { readonly kind: 'ran'; readonly outcome: Outcome }
  /** The key was used before: nothing was run now. */
  | { readonly kind: 'already'; readonly entry: JournalEntry }
  /** Nothing was run, for certain. */
  | { readonly kind: 'not-run'; readonly reason: string }
  /** It may have run; look at the subject. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly entry: JournalEntry | null };

/** The journal of one host. `dir` is on that host. */
export interface Journal {
  /**
   * Runs the command unless the key was used before. Start and end are recorded on the host by the command's own
   * wrapper, so they survive the death of whoever asked, and so does the command: deadline and limits are the
   * wrapper's. Cancelling ends the command's whole group and is recorded too.
   */
  runOnce(once: Once, signal?: AbortSignal): Promise<OnceAnswer>;
  read(key: JournalKey, signal?: AbortSignal): Promise<JournalEntry>;
}

export interface Once {
  readonly key: JournalKey;
  readonly command: string;
  readonly limits: JournalLimits;
}

const DEFAULTS = { killAfterMs: 2_000, outBytes: 16 * 1024 * 1024, headBytes: 16_384, tailBytes: 16_384 };

/** What the wrapper needs beyond the command's own time to end it and to write its end down. */
const WRAPPER_MS = 5_000;

const READ_MS = 10_000;

/** @throws `MEDIC_JOURNAL_UNREADABLE` from `read` when the host does not answer: that says nothing about the command */
export function createJournal({ host, dir }: { host: Host; dir: string }): Journal {
  const read = (key: JournalKey, sizes: Sizes, signal?: AbortSignal) =>
    readEntry({ host, entry: `${dir}/${keyName(key)}`, ...sizes }, signal);
  return {
    read: (key, signal) => read(key, DEFAULTS, signal),
    async runOnce({ key, command, limits }, signal) {
      const all = { ...DEFAULTS, ...limits };
      const entry = `${dir}/${keyName(key)}`;
      const timeoutMs = all.timeoutMs + all.killAfterMs + WRAPPER_MS;
      const killAfterMs = all.killAfterMs + WRAPPER_MS;
      const run = await host.run(
        { command: wrapperScript({ ...all, entry, command }), timeoutMs, killAfterMs },
        signal,
      );
      const found = await read(key, all).catch((error: unknown) => String(error));
      return typeof found === 'string' ? { kind: 'unknown', reason: found, entry: null } : answer(run, found);
    },
  };
}

/** `<run>.<proposal>.<step>.<try>`, a plain folder name. */
export function keyName({ run, proposal, step, try: attempt }: JournalKey): string {
  for (const part of [run, proposal]) {
    if (!/^[A-Za-z0-9_-]+$/.test(part)) throw new TypeError(`\`${part}\` cannot be part of a journal key`);
  }
  return `${run}.${proposal}.${step}.${attempt}`;
}

function answer(run: Outcome, entry: JournalEntry): OnceAnswer {
  if (run.exitCode === EXIT_CLAIMED) return { kind: 'already', entry };
  switch (entry.state) {
    case 'finished':
      return { kind: 'ran', outcome: entry.outcome };
    case 'none':
      return {
        kind: 'not-run',
        reason: run.failure ?? `the journal was not written (exit ${run.exitCode ?? run.signal})`,
      };
    case 'started':
      return { kind: 'unknown', reason: 'its supervisor ended before the command', entry };
  }
}

interface Sizes {
  readonly headBytes: number;
  readonly tailBytes: number;
}

interface EntryPlace extends Sizes {
  readonly host: Host;
  readonly entry: string;
}

async function readEntry(
  { host, entry, headBytes, tailBytes }: EntryPlace,
  signal?: AbortSignal,
): Promise<JournalEntry> {
  const chunks: Uint8Array[] = [];
  const command = readerScript({ entry, headBytes, tailBytes });
  const run = await host.run({ command, timeoutMs: READ_MS, sink: (chunk) => chunks.push(chunk) }, signal);
  const text = Buffer.concat(chunks);
  const end = text.indexOf('\n\n');
  if (end < 0) throw unreadable(host, run);
  const fields = readFields(text.subarray(0, end).toString('utf8'));
  return toEntry(fields, cut(text.subarray(end + 2), fields, headBytes));
}

const unreadable = (host: Host, { failure, exitCode }: Outcome): MedicError =>
  new MedicError(
    'MEDIC_JOURNAL_UNREADABLE',
    `the journal on ${host.name} did not answer: ${failure ?? `exit ${exitCode}`}`,
  );

type Fields = ReadonlyMap<string, string>;

const readFields = (text: string): Fields =>
  new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

const numberOf = (fields: Fields, name: string): number => Number(fields.get(name) || Number.NaN);

function cut(output: Buffer, fields: Fields, headBytes: number): Output {
  return {
    head: output.subarray(0, headBytes).toString('utf8'),
    tail: output.subarray(headBytes).toString('utf8'),
    bytes: numberOf(fields, 'size') + numberOf(fields, 'dropped'),
  };
}

function toEntry(fields: Fields, output: Output): JournalEntry {
  const state = fields.get('state');
  if (state === 'none') return { state };
  const startedAt = instant(numberOf(fields, 'startedAt'));
  if (state !== 'finished') return { state: 'started', startedAt, running: fields.get('running') === '1', output };
  const finishedAt = instant(numberOf(fields, 'finishedAt'));
  return { state, startedAt, finishedAt, outcome: toOutcome(fields, output) };
}

/** Bash tells a signal by its number above 128; that it was ours is known from why it ended. */
function toOutcome(fields: Fields, output: Output): Outcome {
  const code = numberOf(fields, 'code');
  const why = fields.get('why');
  const ours = why === 'deadline' || why === 'canceled';
  const signal = ours && code === 143 ? 'SIGTERM' : ours && code === 137 ? 'SIGKILL' : null;
  return {
    ...NOTHING_RAN,
    ...output,
    exitCode: signal !== null || Number.isNaN(code) ? null : code,
    signal,
    timedOut: why === 'deadline',
    canceled: why === 'canceled',
    leftover: fields.get('leftover') === '1',
    escaped: fields.get('escaped') === '1',
    durationMs: numberOf(fields, 'finishedAt') - numberOf(fields, 'startedAt'),
  };
}
