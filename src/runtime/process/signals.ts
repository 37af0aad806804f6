import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that asks this process to end. */
export type EndSignal = (typeof SIGNALS)[number];

/** What to do when asked to end. */
export interface SignalHandling {
  /** Ends everything in order. The process then exits with 128 + the signal's number (130 for Ctrl-C). */
  readonly onSignal: (signal: EndSignal) => Promise<void>;
  /** Default: this process. */
  readonly target?: NodeJS.EventEmitter;
  /** Default: ends this process. */
  readonly exit?: (code: number) => void;
}

/**
 * Ends in order at the first Ctrl-C, TERM or HUP, and at once at the second (children then end by their leash).
 *
 * @returns takes the handlers away again
 */
export function installSignalHandlers({ onSignal, target = process, exit = process.exit }: SignalHandling): () => void {
  let asked = false;
  const handlers = SIGNALS.map((signal) => {
    const leave = () => exit(128 + constants.signals[signal]);
    const handle = () => {
      if (asked) return leave();
      asked = true;
      void onSignal(signal).then(leave, leave);
    };
    target.on(signal, handle);
    return () => target.off(signal, handle);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
