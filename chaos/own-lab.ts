import { resolve } from 'node:path';
import { MedicError } from '../src/domain/errors.js';
import { connectLab } from '../subjects/tikv/lab/labd/client.js';
import { readLabFile } from '../subjects/tikv/lab/labd/files.js';
import type { ChaosLab } from './protocol.js';

/**
 * The only way to a lab for chaos: the folder carries Medic's marker, and a labd that knows its token says that it runs
 * exactly this lab.
 *
 * @throws MedicError `MEDIC_CHAOS_NOT_OURS` for anything else, `MEDIC_LAB_NOT_RUNNING` when its labd does not answer
 */
export async function openOwnLab(folder: string): Promise<ChaosLab> {
  const dir = resolve(folder);
  const file = readLabFile(dir);
  if (file === undefined) throw new MedicError('MEDIC_CHAOS_NOT_OURS', `${dir} is not a lab that Medic made`);
  const lab = connectLab(dir);
  const identity = await lab.identity();
  if (identity.labId === file.labId && identity.dir === dir) return { labId: file.labId, lab };
  throw new MedicError('MEDIC_CHAOS_NOT_OURS', `the labd of ${dir} runs another lab, in ${identity.dir}`);
}
