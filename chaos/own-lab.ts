import { MedicError } from '../src/domain/errors.js';
import { connectLab, type Lab } from '../subjects/tikv/lab/labd/client.js';
import type { ChaosLab } from './protocol.js';

/**
 * The only way to a lab for chaos: the folder carries Medic's marker, and the labd behind its port accepts its token
 * and says that it runs the lab of exactly this folder.
 *
 * @throws MedicError `MEDIC_CHAOS_NOT_OURS` for anything else, `MEDIC_LAB_NOT_RUNNING` when its labd does not answer
 */
export async function openOwnLab(dir: string): Promise<ChaosLab> {
  const lab = markedLab(dir);
  const identity = await lab.identity();
  if (identity.dir === lab.dir) return { labId: identity.labId, lab };
  throw new MedicError('MEDIC_CHAOS_NOT_OURS', `the labd of ${lab.dir} runs another lab, in ${identity.dir}`);
}

function markedLab(dir: string): Lab {
  try {
    return connectLab(dir);
  } catch {
    throw new MedicError('MEDIC_CHAOS_NOT_OURS', `${dir} is not a lab that Medic made`);
  }
}
