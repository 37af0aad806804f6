import { loadMedic, type NotifyTarget } from '../config/medic.js';

export interface KeptTargetsOptions {
  /** `null`: there is none. */
  readonly file: string | null;
  readonly warn: (why: string) => void;
}

/**
 * Who is to be told, read anew each time. A file that is being edited, and cannot be read for a moment, holds up no
 * ticket: those who were told before it are told still.
 */
export function keptTargets({ file, warn }: KeptTargetsOptions): () => Promise<readonly NotifyTarget[]> {
  let kept: readonly NotifyTarget[] = [];
  return async () => {
    try {
      kept = (await loadMedic(file)).notify;
    } catch (error) {
      warn((error as Error).message);
    }
    return kept;
  };
}
