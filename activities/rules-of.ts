import type { Rules } from '../src/policy/classify.js';
import type { SelfScope } from '../src/policy/rows/self.js';
import type { Room } from './room.js';

/** Everything a call about this subject is classified by. */
export const rulesOf = ({ subject, endpoints }: Room, self: SelfScope): Rules => ({
  commandRows: subject.commandRows,
  httpRows: subject.httpRows,
  self,
  endpoints,
});
