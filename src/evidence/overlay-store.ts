import { createHash } from 'node:crypto';
import { MedicError } from '../domain/errors.js';
import type { EvidenceStore } from './store.js';

/**
 * A store whose new bodies stay in memory: for looking at another world than the one that was recorded. What it was
 * not given itself is read from the store below; `null`: there is none.
 */
export function createOverlayStore({
  bodies = new Map(),
  below = null,
}: {
  readonly bodies?: ReadonlyMap<string, string>;
  readonly below?: EvidenceStore | null;
}): EvidenceStore {
  const own = new Map(bodies);
  return {
    async put(body) {
      const content = Buffer.from(body);
      const sha256 = createHash('sha256').update(content).digest('hex');
      own.set(sha256, content.toString('utf8'));
      return { sha256, bytes: content.length };
    },
    async get(sha256) {
      const body = own.get(sha256);
      if (body !== undefined) return body;
      if (below) return below.get(sha256);
      throw new MedicError('MEDIC_EVIDENCE_MISSING', `no evidence ${sha256} in this file`);
    },
    has: async (sha256) => own.has(sha256) || (below !== null && (await below.has(sha256))),
  };
}
