import { loadMedic } from '../../config/medic.js';
import { loadPolicy } from '../../config/policy.js';
import type { FleetSubject } from '../../config/subject.js';
import type { PolicyFile } from '../../policy/policy-file.js';
import type { WorkerSettings } from './settings.js';

/**
 * The policy of a subject as it is now. A cluster of medic.yaml has the environment and the autonomy that stand there; a
 * cluster that stands there no longer is only observed.
 *
 * @throws MedicError `MEDIC_CONFIG_*`: nothing is ruled on while the configuration has a mistake
 */
export async function policyOf(
  name: string,
  settings: Pick<WorkerSettings, 'policyFile' | 'configFile' | 'subjects'>,
): Promise<PolicyFile> {
  const started = settings.subjects.find((subject) => subject.name === name);
  if (!started) return (await loadPolicy(settings.policyFile)).policy;
  return ofSubject(await present(started, settings));
}

async function present(
  started: FleetSubject,
  { configFile }: Pick<WorkerSettings, 'configFile'>,
): Promise<FleetSubject> {
  // More than it was started with needs a start. `medic observe` is told its cluster on the command line.
  if (started.autonomy === 'observe') return started;
  const { subjects } = await loadMedic(configFile);
  return subjects.find(({ name }) => name === started.name) ?? { ...started, autonomy: 'observe' };
}

async function ofSubject({ environment, autonomy, policy }: FleetSubject): Promise<PolicyFile> {
  const preApproved = policy === undefined ? [] : (await loadPolicy(policy)).policy.preApproved;
  return { version: 1, environment, autonomy, preApproved };
}
