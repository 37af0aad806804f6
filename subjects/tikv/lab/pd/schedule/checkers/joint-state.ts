import type { RegionReport } from '../../model.js';
import { leaveJoint } from '../build.js';
import type { Draft } from '../operator.js';
import { heir } from '../placement.js';
import type { Round } from '../scheduler.js';
import { isInJointState } from '../step.js';

/** Ends a joint state that nobody is about to end (PD: `joint_state_checker.go`). */
export function checkJointState(round: Round, report: RegionReport): Draft | null {
  if (!isInJointState(report)) return null;
  const newLeader = heir(round, report, report.leader?.storeId ?? 0);
  return leaveJoint({ desc: 'leave-joint-state', kinds: [], priority: 'repair', report }, newLeader);
}
