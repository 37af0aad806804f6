import { callBytes } from '../domain/query.js';
import { type Host, NOTHING_RAN, type Outcome } from './host.js';

/**
 * Answers from recorded outcomes, keyed by the bytes of the call (`callBytes`). What was not recorded did not run and
 * says so; it is never an empty success.
 */
export function createRecordedHost({ name, outcomes }: { name: string; outcomes: ReadonlyMap<string, Outcome> }): Host {
  return {
    name,
    async run({ command }) {
      const recorded = outcomes.get(callBytes({ kind: 'shell', host: name, command }));
      return recorded ?? { ...NOTHING_RAN, failure: `no recorded outcome of \`${command}\` on ${name}` };
    },
  };
}
