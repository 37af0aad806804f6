import { loadMedic, type MedicConfig } from '../config/medic.js';
import { NOBODY } from '../policy/authority.js';

export interface KeptMedicOptions {
  /** `null`: there is none. */
  readonly file: string | null;
  readonly warn: (why: string) => void;
}

/**
 * The medic.yaml in force, read anew each time. A file that is being edited, and cannot be read for a moment, holds up no
 * ticket: what it said before holds still.
 */
export function keptMedic({ file, warn }: KeptMedicOptions): () => Promise<MedicConfig> {
  let kept: MedicConfig = { notify: [], authority: NOBODY, waits: { escalation: [] }, subjects: [] };
  return async () => {
    try {
      kept = await loadMedic(file);
    } catch (error) {
      warn((error as Error).message);
    }
    return kept;
  };
}
