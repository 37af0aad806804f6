import type { Host, Outcome } from './host.js';

export interface Collected {
  readonly outcome: Outcome;
  /** Standard output and error in one, up to `maxBytes`. */
  readonly output: string;
}

/** Runs a command and keeps all of its output, up to a limit, for evidence and for answers that are parsed. */
export async function collect(
  host: Host,
  { command, timeoutMs, maxBytes }: { readonly command: string; readonly timeoutMs: number; readonly maxBytes: number },
  signal?: AbortSignal,
): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  const outcome = await host.run(
    { command, timeoutMs, sink: (chunk) => chunks.push(chunk), sinkBytes: maxBytes },
    signal,
  );
  return { outcome, output: Buffer.concat(chunks).toString('utf8') };
}

/** Why there is no exit code to go by, in words; `null` when there is one. */
export function whyNoExit({ failure, timedOut, canceled, exitCode, signal }: Outcome): string | null {
  if (failure !== null) return failure;
  if (timedOut) return 'it did not end in time';
  if (canceled) return 'it was cancelled';
  return exitCode === null ? `it was ended by ${signal}` : null;
}
