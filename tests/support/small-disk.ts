import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, so small that it can be filled: the kernel itself says that no space is left. */
export interface SmallDisk {
  /** Its root folder. */
  readonly home: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives back what `fill` took. */
  makeRoom(): void;
}

const SIZE = '256k';
const CHUNK = Buffer.alloc(4096);

/**
 * Runs `use` with a small disk: a tmpfs in a mount namespace of its own, reached through /proc. It is gone with the process that
 * holds it, however a test ends.
 */
export async function withSmallDisk<T>(use: (disk: SmallDisk) => Promise<T>): Promise<T> {
  const point = mkdtempSync(join(tmpdir(), 'medic-small-disk-'));
  const holder = await mount(point);
  try {
    return await use(diskAt(`/proc/${holder.pid}/root${point}`));
  } finally {
    holder.stdin?.end();
    if (holder.exitCode === null) await once(holder, 'exit');
    rmSync(point, { recursive: true, force: true });
  }
}

function diskAt(home: string): SmallDisk {
  const ballast = join(home, 'ballast');
  return {
    home,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, CHUNK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
  };
}

async function mount(point: string): Promise<ChildProcess> {
  const own = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const script = `mount -t tmpfs -o size=${SIZE},mode=0777 tmpfs "$1" && touch "$1/ready" && echo ready && exec cat >/dev/null`;
  const holder = spawn('unshare', [...own, 'sh', '-c', script, 'sh', point], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: string[] = [];
  holder.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit'), once(holder, 'error')]);
  if (holder.pid !== undefined && existsSync(`/proc/${holder.pid}/root${point}/ready`)) return holder;
  throw new Error(
    `no small disk could be mounted, and nothing else is really full: these tests need Linux, and root or a kernel that lets ` +
      `users make namespaces (\`unshare -rm\`). It said: ${said.join('').trim() || 'nothing'}`,
  );
}
