import { SetupFailure } from './failure.mjs';

/** The oldest Node that can `require()` an ES module without a flag; the same number as `engines` in package.json. */
export const NODE_FLOOR = '20.19.0';

/** Throws MEDIC_SETUP_NODE for a Node older than {@link NODE_FLOOR}. Must itself run on any Node with modules (12.20). */
export function requireNode(version) {
  if (atLeast(version, NODE_FLOOR)) return;
  throw new SetupFailure('MEDIC_SETUP_NODE', `Node ${version} is too old: Medic needs 20.19 or newer.`);
}

/** Compares dotted versions by number: `1.10.0` is at least `1.9.1`. Missing parts count as 0. */
export function atLeast(version, floor) {
  const have = version.split('.').map(Number);
  const want = floor.split('.').map(Number);
  for (let part = 0; part < want.length; part += 1) {
    const difference = (have[part] || 0) - want[part];
    if (difference !== 0) return difference > 0;
  }
  return true;
}
