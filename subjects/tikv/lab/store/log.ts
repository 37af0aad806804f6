/** Values printed as `[key=value]` behind the message. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Log in the look of TiKV's, because people and agents read it as they would read TiKV's. */
export interface Log {
  /** `source` is the file that TiKV would name for such an event, e.g. `raft.rs`. */
  info(source: string, message: string, fields?: LogFields): void;
  warn(source: string, message: string, fields?: LogFields): void;
  fatal(source: string, message: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

/** `[2026/11/30 14:00:00.123 +00:00] [INFO] [raft.rs] ["became leader at term 7"] [region_id=10]`. */
export function createLog({ write, now }: LogOptions): Log {
  const line =
    (level: string) =>
    (source: string, message: string, fields: LogFields = {}) => {
      const pairs = Object.entries(fields).map(
        ([key, value]) => ` [${quoteIfNeeded(key)}=${quoteIfNeeded(String(value))}]`,
      );
      write(`[${stamp(now())}] [${level}] [${source}] [${quoteIfNeeded(message)}]${pairs.join('')}\n`);
    };
  return { info: line('INFO'), warn: line('WARN'), fatal: line('FATAL') };
}

function stamp(at: Date): string {
  const [day = '', time = ''] = at.toISOString().split('T');
  return `${day.replaceAll('-', '/')} ${time.replace('Z', '')} +00:00`;
}

/** TiKV quotes what holds a blank, a quote, a bracket or an equals sign. */
function quoteIfNeeded(text: string): string {
  return /[\s"[\]=]/.test(text) || text === '' ? JSON.stringify(text) : text;
}
