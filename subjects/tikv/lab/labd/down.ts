import { resolve } from 'node:path';
import { readLabFile } from './files.js';
import { isAlive, signalProcess } from './process-look.js';

const END_MS = 5_000;
const POLL_MS = 25;

/**
 * Ends the lab of a folder, whoever started it: SIGTERM to exactly the labd that `lab.json` names, SIGKILL after 5 s.
 * Its data stays.
 */
export async function endLab(dir: string): Promise<'ended' | 'not-running'> {
  const labd = readLabFile(resolve(dir))?.labd;
  if (labd === undefined || signalProcess(labd, 'SIGTERM') === 'gone') return 'not-running';
  for (let waitedMs = 0; isAlive(labd); waitedMs += POLL_MS) {
    if (waitedMs >= END_MS) signalProcess(labd, 'SIGKILL');
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
  return 'ended';
}
