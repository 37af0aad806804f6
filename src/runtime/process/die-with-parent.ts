import type { Readable } from 'node:stream';

const LAST_WORDS_MS = 1500;

/** What a child does when its parent is gone. */
export interface DieWithParentOptions {
  /** Ends what this process started; gets 1.5 s. */
  readonly lastWords?: () => Promise<void> | void;
  /** The pipe from the parent. Default: stdin. */
  readonly leash?: Readable;
  /** Default: ends this process. */
  readonly exit?: (code: number) => void;
}

/**
 * Ends this process with code 1 when the pipe from its parent closes, however the parent ended: a killed one cannot say goodbye.
 * To be called first in the main of every child that `startChild` starts.
 */
export function dieWithParent({
  lastWords = () => undefined,
  leash = process.stdin,
  exit = process.exit,
}: DieWithParentOptions = {}): void {
  const end = async () => {
    setTimeout(() => exit(1), LAST_WORDS_MS);
    await lastWords();
    exit(1);
  };
  // `close` comes only once all was read, so the pipe has to flow although nothing is ever written to it.
  leash
    .once('close', () => void end().catch(() => exit(1)))
    .on('error', () => undefined)
    .resume();
  // Watching must not keep a process alive that has nothing else to do.
  (leash as { unref?: () => void }).unref?.();
}
