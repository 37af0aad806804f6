import type { RegionReport } from '../../model.js';
import { leaveJoint } from '../build.js';
import type { Draft } from '../operator.js';

/** Ends a joint state that nobody is about to end (PD: `joint_state_checker.go`). */
export function checkJointState(report: RegionReport): Draft | null {
  return leaveJoint({ desc: 'leave-joint-state', kinds: [], priority: 'repair', report });
}
