import type { Target } from '../../../src/domain/ids.js';
import type { BasisFact } from '../../../src/domain/proposal.js';
import type { TikvPicture } from '../picture.js';
import { pdNamed, storeNamed, witnessOf } from './look-up.js';

/**
 * Who a node is: its id as PD knows it, and the process by its start. PD may be the patient, so its id is `unknown` then;
 * the witness alone identifies a process.
 */
export function identityOf(picture: TikvPicture, target: Target): readonly BasisFact[] {
  const witness = witnessOf(picture, target);
  const store = storeNamed(picture, target);
  const role = store ? 'store' : pdNamed(picture, target) ? 'pd' : 'none';
  const id = store?.pd.known ? (store.pd.value?.id ?? 'not listed') : 'unknown';
  return [
    equal('target', `${target} (${role})`),
    ...(store ? [equal('store id', id)] : []),
    equal('process', witness.known ? `${witness.value.state}, started ${witness.value.startedAt}` : 'unknown'),
    ...(witness.known ? [equal('stopped by request', String(witness.value.stoppedByRequest))] : []),
  ];
}

const equal = (fact: string, value: string): BasisFact => ({ fact, value, compare: 'equal' });
