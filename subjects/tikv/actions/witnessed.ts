import type { Target } from '../../../src/domain/ids.js';
import type { Judged } from '../../protocol.js';
import { no, unknown, yes } from '../causes/judged.js';
import { witnessOf } from '../picture/look-up.js';
import { witnessWords } from '../picture/words.js';
import type { TikvPicture, Witness } from '../picture.js';

/** What the host says of a node has to hold; without the host's word nothing is known. Needs no word of PD. */
export function witnessed(picture: TikvPicture, node: Target, holds: (witness: Witness) => boolean): Judged {
  const witness = witnessOf(picture, node);
  if (!witness.known) return unknown(`no witness of ${node}: ${witness.reason}`);
  const words = `${node} ${witnessWords(witness.value)}`;
  return holds(witness.value) ? yes(words) : no(words);
}

/** Its process runs, whatever it answers. */
export const processRuns = (picture: TikvPicture, node: Target): Judged =>
  witnessed(picture, node, ({ state }) => state === 'running');

/** Died, not stopped by request: what a person took down stays down. */
export const processDied = (picture: TikvPicture, node: Target): Judged =>
  witnessed(picture, node, ({ state, stoppedByRequest }) => state === 'exited' && !stoppedByRequest);
