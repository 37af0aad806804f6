import type { Answer, Facts } from '../../../subjects/protocol.js';
import type { Digest } from '../../domain/digest.js';
import type { Evidence } from '../../domain/evidence.js';
import { between } from '../../domain/ids.js';
import { type Call, callBytes } from '../../domain/query.js';
import type { ReasonerTools } from '../reasoner.js';

/** An older answer is asked for again: after an act or a long wait for a person the world has moved. */
export const FRESH_FOR_MS = 30_000;

export interface Gathering<P> {
  readonly digest: Digest;
  readonly picture: P;
  readonly calls: readonly Call[];
  readonly body: ReasonerTools['body'];
}

/** The picture and the latest fresh answer to each of the calls, with its whole body. */
export async function gatherFacts<P>({ digest, picture, calls, body }: Gathering<P>): Promise<Facts<P>> {
  const answers = new Map<string, Answer>();
  for (const call of calls) {
    const evidence = latestAnswer(digest, call);
    if (evidence) answers.set(callBytes(call), { evidence, body: await body(evidence.id) });
  }
  return { picture, pictureId: digest.picture.evidence, answer: (call) => answers.get(callBytes(call)) ?? null };
}

/** The newest fresh evidence of a call; no answer at all is evidence, too. */
export function latestAnswer(digest: Digest, call: Call): Evidence | null {
  return asked(digest, call).at(-1) ?? null;
}

/** Every fresh piece of evidence of a call, the newest last. */
export function asked({ evidence, at }: Digest, call: Call): readonly Evidence[] {
  const bytes = callBytes(call);
  return evidence.filter(
    (one) => one.call !== null && callBytes(one.call) === bytes && between(one.at, at) <= FRESH_FOR_MS,
  );
}
