import type { Target } from './ids.js';

/** What is wrong with what. `class` comes from the subject's closed list; `other` can never be proven gone. */
export interface Cause {
  readonly class: string;
  readonly target: Target;
}

/** `process-dead/tikv-2`, as screens, search attributes and metrics show it. */
export const causeName = (cause: Cause): string => `${cause.class}/${cause.target}`;
