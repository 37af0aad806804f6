import type { Target } from '../../src/domain/ids.js';
import type { Action, Judged } from '../protocol.js';
import { no, unknown, yes } from './causes/judged.js';
import { storeNamed } from './picture/look-up.js';
import { witnessWords } from './picture/words.js';
import type { TikvPicture } from './picture.js';
import { startNode } from './services.js';

const startStore: Action<TikvPicture> = {
  name: 'start-store',
  describe: (target) => `start the store ${target}`,
  cures: ['process-dead'],
  precondition: hasDied,
  call: startNode,
  inverse: () => ({ kind: 'none', why: 'restorative: it takes nothing away' }),
  isDone: runsAgain,
  timeoutMs: 30_000,
};

/** What Medic may do to a TiKV cluster. */
export const ACTIONS: readonly Action<TikvPicture>[] = [startStore];

/** Died, not stopped by request: what a person took down stays down. Needs no word of PD, only the witness. */
function hasDied(picture: TikvPicture, target: Target): Judged {
  const store = storeNamed(picture, target);
  if (!store) return no(`${target} is no store of this cluster`);
  if (!store.witness.known) return unknown(`no witness of ${target}: ${store.witness.reason}`);
  const { state, stoppedByRequest } = store.witness.value;
  const words = `${target} ${witnessWords(store.witness.value)}`;
  return state === 'exited' && !stoppedByRequest ? yes(words) : no(words);
}

function runsAgain(picture: TikvPicture, target: Target): Judged {
  const witness = storeNamed(picture, target)?.witness;
  if (!witness?.known) return unknown(`no witness of ${target}: ${witness?.reason ?? 'it is no store'}`);
  const words = `${target} ${witnessWords(witness.value)}`;
  return witness.value.state === 'running' ? yes(words) : no(words);
}
