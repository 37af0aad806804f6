import { MedicError } from '../../src/domain/errors.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import type { ChaosLab, TargetWish } from '../protocol.js';
import { killedNodes } from './killed-nodes.js';
import { pdLeader } from './leaders.js';

/** The PD group of three loses its quorum; the stores go on serving what they lead. */
export const twoPdsDown = killedNodes({
  name: 'two_pds_down',
  describe: 'The PD member that leads and another one are killed with SIGKILL: PD has no quorum.',
  targets: 'pd',
  rightEnd: { kind: 'repaired' },
  role: 'pd',
  choose: leaderAndAnother,
});

/** The same, and they die at every start: nothing that Medic may do brings the quorum back. */
export const pdQuorumBeyondRestart = killedNodes({
  name: 'pd_quorum_beyond_restart',
  describe: 'As two_pds_down, with a wrong option in the configuration of both: they end at once at every start.',
  targets: 'pd',
  rightEnd: { kind: 'escalated', cause: 'pd-quorum-lost' },
  role: 'pd',
  choose: leaderAndAnother,
  badOption: '--tso-save-intervall=3s',
});

/** The leader and, by name or the first of all, one more that runs. */
async function leaderAndAnother({ lab }: ChaosLab, wish: TargetWish): Promise<readonly NodeReport[]> {
  const leader = await pdLeader(lab.topology());
  const others = (await lab.ps()).filter(
    ({ name, role, state }) => role === 'pd' && state === 'running' && name !== leader,
  );
  const wished = wish.pick === 'named' && wish.name !== leader ? wish.name : null;
  const other = wished === null ? others[0] : others.find(({ name }) => name === wished);
  if (other) return [await lab.inspect(leader), other];
  throw new MedicError(
    'MEDIC_CHAOS_TARGET',
    `${wished ?? 'no second member'} is no running PD member beside ${leader}`,
  );
}
