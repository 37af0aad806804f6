export type Level = 'INFO' | 'WARN' | 'ERROR';

/** One line of a member's log. `source` is the file of PD that would say this. */
export interface LogLine {
  readonly level: Level;
  readonly source: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
}

export type Log = (line: LogLine) => void;

/** Writes lines as PD and TiKV do: `[2026/11/30 14:00:00.123 +00:00] [INFO] [member.go:1] ["message"] [key=value]`. */
export function createLog(options: { readonly write: (text: string) => void; readonly now: () => Date }): Log {
  return ({ level, source, message, fields = {} }) => {
    const pairs = Object.entries(fields).map(([key, value]) => `[${key}=${fieldText(value)}]`);
    const parts = [
      `[${timeText(options.now())}]`,
      `[${level}]`,
      `[${source}]`,
      `[${JSON.stringify(message)}]`,
      ...pairs,
    ];
    options.write(`${parts.join(' ')}\n`);
  };
}

function timeText(at: Date): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  return `${date.replaceAll('-', '/')} ${time.replace('Z', '')} +00:00`;
}

function fieldText(value: string | number | boolean): string {
  const text = String(value);
  return /^[\w.:/+-]+$/.test(text) ? text : JSON.stringify(text);
}
