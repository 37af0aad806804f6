import { MedicError } from '../src/domain/errors.js';
import type { Fault, Injection } from './protocol.js';
import { crashLoop } from './tikv/crash_loop.js';
import {
  leaderConcentration,
  leaderConcentrationGrant,
  leaderConcentrationWeight,
} from './tikv/leader_concentration.js';
import { nodeKill } from './tikv/node_kill.js';
import { none } from './tikv/none.js';
import { pdLeaderKill } from './tikv/pd_leader_kill.js';
import { processPause } from './tikv/process_pause.js';
import { schedulerPaused } from './tikv/scheduler_paused.js';
import { storeLimitStrangled, storeOfflineByMistake } from './tikv/store-orders.js';
import { transientPause } from './tikv/transient_pause.js';
import { pdQuorumBeyondRestart, twoPdsDown } from './tikv/two_pds_down.js';

/** Every fault there is, as the journal knows them: with details that only the fault itself reads. */
export const FAULTS: readonly Fault[] = [
  nodeKill as Fault,
  processPause as Fault,
  pdLeaderKill as Fault,
  twoPdsDown as Fault,
  crashLoop as Fault,
  pdQuorumBeyondRestart as Fault,
  schedulerPaused as Fault,
  storeOfflineByMistake as Fault,
  storeLimitStrangled as Fault,
  leaderConcentration as Fault,
  leaderConcentrationGrant as Fault,
  leaderConcentrationWeight as Fault,
  transientPause as Fault,
  none as Fault,
];

/** @throws MedicError `MEDIC_CHAOS_UNKNOWN_FAULT` with the names that exist */
export function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found) return found;
  throw new MedicError(
    'MEDIC_CHAOS_UNKNOWN_FAULT',
    `there is no fault ${name}; there are ${FAULTS.map((fault) => fault.name).join(', ')}`,
  );
}

/** The fault that made an injection. */
export function faultOf({ fault }: Injection): Fault {
  return faultNamed(fault);
}
