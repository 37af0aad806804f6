import { causeName } from '../../../src/domain/cause.js';
import { evidenceId } from '../../../src/domain/ids.js';
import { type Call, callBytes } from '../../../src/domain/query.js';
import type { Assessment, Facts } from '../../../subjects/protocol.js';
import type { TikvPicture, Witness } from '../../../subjects/tikv/picture.js';
import { RULES } from '../../../subjects/tikv/rules.js';
import { askStatusPort, inspectNode } from '../../../subjects/tikv/services.js';
import { AT, died, witness } from './pictures.js';

/** An answer to a look. */
export interface Reply {
  readonly call: Call;
  readonly exit: number | null;
  readonly body?: string;
  readonly failure?: string;
}

/** Evidence e1 is the picture, e2.. the replies in their order. */
function factsOf(picture: TikvPicture, replies: readonly Reply[]): Facts<TikvPicture> {
  return {
    picture,
    pictureId: evidenceId(1),
    answer: (call) => {
      const index = replies.findIndex((reply) => callBytes(reply.call) === callBytes(call));
      const reply = replies[index];
      if (!reply) return null;
      const { exit, failure, body = '' } = reply;
      const rest = { line: '', head: '', tail: '', bytes: 0, sha256: '', redactions: 0, tainted: false };
      return {
        evidence: { id: evidenceId(index + 2), at: AT, host: 'lab', call, exit, durationMs: 2, failure, ...rest },
        body,
      };
    },
  };
}

/** The host shows a node; a running process unless changed. */
export const host = (changes: Partial<Witness> = {}, node = 'tikv-2'): Reply => ({
  call: inspectNode(node),
  exit: 0,
  body: JSON.stringify({ name: node, ...witness(changes).value }),
});
export const dead = (changes: Partial<Witness> = {}) => host(died(changes).value);
export const refuses: Reply = { call: askStatusPort('tikv-2'), exit: null, failure: 'connection refused' };
export const serves: Reply = { call: askStatusPort('tikv-2'), exit: 200 };

/** What a rule thinks of its suspects, by the name of their cause. */
export function board(
  picture: TikvPicture,
  replies: readonly Reply[],
  [ruleName, target]: readonly [string, string] = ['store-trouble', 'tikv-2'],
) {
  const rule = RULES.find(({ name }) => name === ruleName)!;
  const entries = rule
    .suspects(target, picture)
    .map(({ cause, assess }): [string, Assessment] => [causeName(cause), assess(factsOf(picture, replies))]);
  return Object.fromEntries(entries);
}
