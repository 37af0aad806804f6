import pc from 'picocolors';

/** Where a verb writes: data to stdout, everything else to stderr; injected, so that verbs are tested without a terminal. */
export interface Screen {
  out(line: string): void;
  err(line: string): void;
  /** Writes to stdout without ending the line. Whatever is written next by `out` or `err` ends it first. */
  part(text: string): void;
  /** The last thing written was a `part`. */
  readonly isLineOpen: boolean;
  /** Ends such a line. */
  endLine(): void;
  /** A person looks at it: tables, wrapped lines, relative times. */
  readonly isTty: boolean;
  /** Width of the terminal; 80 when there is none. */
  readonly columns: number;
  readonly paint: Paint;
}

/** Colours, or the bare text where none are wanted. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'green' | 'red', (text: string) => string>>;

/** What a screen needs of a stream of Node. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ScreenParts {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A screen on two streams. */
export function createScreen({ stdout, stderr, env }: ScreenParts): Screen {
  let isLineOpen = false;
  const endLine = () => {
    if (isLineOpen) stdout.write('\n');
    isLineOpen = false;
  };
  return {
    out(line) {
      endLine();
      stdout.write(`${line}\n`);
    },
    err(line) {
      endLine();
      stderr.write(`${line}\n`);
    },
    part(text) {
      isLineOpen = true;
      stdout.write(text);
    },
    endLine,
    get isLineOpen() {
      return isLineOpen;
    },
    get isTty() {
      return stdout.isTTY === true;
    },
    get columns() {
      return stdout.columns || 80;
    },
    paint: pc.createColors(wantsColour({ env, isTty: stdout.isTTY === true })),
  };
}

/** NO_COLOR wins over FORCE_COLOR; without either, a terminal that is not dumb gets colours. */
export function wantsColour({ env, isTty }: { readonly env: ScreenParts['env']; readonly isTty: boolean }): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return isTty && env.TERM !== 'dumb';
}

/** JSON with the version of its form; one value, two spaces. */
export const printJson = (screen: Screen, kind: string, value: unknown): void =>
  screen.out(JSON.stringify({ apiVersion: 'medic/v1', kind, value }, null, 2));
