import { installSignalHandlers } from '../runtime/process/signals.js';
import type { Screen } from './screen.js';

/** Ends everything at the first Ctrl-C, TERM or HUP, and says so. */
export function endOnSignals(screen: Screen, stop: () => Promise<void>): { readonly ignore: () => void } {
  const ignore = installSignalHandlers({
    onSignal: async () => {
      screen.err('ending everything: worker, lab, Temporal (again to end at once)');
      await stop();
      screen.err('everything has ended');
    },
  });
  return { ignore };
}
