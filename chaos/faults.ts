import { MedicError } from '../src/domain/errors.js';
import type { Fault, Injection } from './protocol.js';
import { nodeKill } from './tikv/node_kill.js';
import { pdLeaderKill } from './tikv/pd_leader_kill.js';
import { processPause } from './tikv/process_pause.js';

/** Every fault there is, as the journal knows them: with details that only the fault itself reads. */
export const FAULTS: readonly Fault[] = [nodeKill as Fault, processPause as Fault, pdLeaderKill as Fault];

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
