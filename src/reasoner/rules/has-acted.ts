import type { Digest } from '../../domain/digest.js';

/** Did any plan of this ticket run? Then nothing that is well now is known to have become so by itself. */
export const hasActed = ({ proposals }: Digest): boolean =>
  proposals.some(({ end }) => end === 'ran' || end === 'undone');
