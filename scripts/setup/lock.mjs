import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const POLL_MS = 200;

/** Runs `work` while no other setup of this checkout runs: two that build at once would mix their outputs. A dead owner's lock is taken over. */
export async function withSetupLock({ root, tell }, work) {
  const file = join(root, '.cache', 'setup.lock');
  let told = false;
  while (!take(file)) {
    if (!told) tell.note(`waiting for another setup of this checkout (pid ${ownerOf(file)})`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, identityOf(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(file)) rmSync(file, { force: true });
    return false;
  }
}

// An empty file belongs to an owner between creating and writing it.
function isStale(file) {
  const text = contentOf(file);
  return text !== '' && identityOf(ownerOf(file)) !== text;
}

function ownerOf(file) {
  return Number(contentOf(file).split(' ')[0]);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Pid and, on Linux, its start time, because pids are used again; undefined when no such process lives. */
function identityOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  return `${pid} ${startTimeOf(pid)}`;
}

// Field 22 of /proc/PID/stat; the second field is the name in parentheses and may hold spaces.
function startTimeOf(pid) {
  const stat = contentOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
