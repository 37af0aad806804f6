import { installSignalHandlers } from '../runtime/process/signals.js';
import type { Screen } from './screen.js';

/**
 * Ends everything at the first Ctrl-C, TERM or HUP, and says so.
 *
 * @param stop - `null` while things are still starting: they then end by themselves, because their parent is gone
 */
export function endOnSignals(screen: Screen, stop: () => Promise<void> | null): { readonly ignore: () => void } {
  const ignore = installSignalHandlers({
    onSignal: async () => {
      screen.err('ending everything that was started here (again to end at once)');
      const stopped = stop();
      await stopped;
      screen.err(stopped ? 'everything has ended' : 'what was starting ends by itself within 5 s');
    },
  });
  return { ignore };
}
