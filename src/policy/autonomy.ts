import { AUTONOMY, type Autonomy } from './policy-file.js';

/**
 * The autonomy in force. An installation may lower what the version-controlled policy grants, never raise it.
 *
 * @param wished - of medic.yaml, for one subject; absent: it says nothing
 */
export const lowest = (granted: Autonomy, wished: Autonomy | undefined): Autonomy =>
  wished !== undefined && AUTONOMY.indexOf(wished) < AUTONOMY.indexOf(granted) ? wished : granted;
