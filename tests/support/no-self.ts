import type { SelfScope } from '../../src/policy/rows/self.js';

/** Nothing that belongs to Medic itself, for tests of everything else. */
export const NO_SELF: SelfScope = { paths: [], endpoints: [], programs: [], pids: [] };
