import type { Subject } from '../protocol.js';
import { ACTIONS } from './actions.js';

import { CAUSES, UPSTREAM } from './causes.js';
import { COMMAND_ROWS } from './command-rows.js';
import { HTTP_ROWS } from './http-rows.js';
import { INVARIANTS } from './invariants.js';
import { expectationsOf } from './picture/expectations.js';
import { identityOf } from './picture/identity.js';
import { quorumPictureOf } from './picture/quorum-picture.js';
import { summaryOf } from './picture/summary.js';
import type { TikvPicture } from './picture.js';
import { PROMPT_CONTEXT } from './prompt-context.js';
import { describeAnswer } from './rules/describe-answer.js';
import { RULES } from './rules.js';

/** TiKV with its PD group. */
export const TIKV: Subject<TikvPicture> = {
  name: 'tikv',
  invariants: INVARIANTS,
  causes: CAUSES,
  upstream: UPSTREAM,
  actions: ACTIONS,
  commandRows: COMMAND_ROWS,
  httpRows: HTTP_ROWS,
  rules: RULES,
  quorum: quorumPictureOf,
  identity: identityOf,
  expectations: expectationsOf,
  summary: summaryOf,
  describeAnswer,
  promptContext: PROMPT_CONTEXT,
};
