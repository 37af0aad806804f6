import { spawn } from 'node:child_process';

const TAIL_BYTES = 64 * 1024;
const running = new Set();

/**
 * Runs a program in its own process group and collects what it prints. Never throws: a program that cannot be started has
 * `code` 127, one that took longer than `timeoutMs` (default: no limit) or that `signal` aborted has `code` null.
 *
 * @returns {Promise<{code: number | null, output: string}>} `output` holds the last 64 KiB of both streams
 */
export function run(command, args, { cwd, env = process.env, timeoutMs, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => killGroup(child.pid);
    const timer = timeoutMs && setTimeout(kill, timeoutMs);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-TAIL_BYTES);
    };
    const settle = (code, text) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      running.delete(child.pid);
      resolve({ code, output: text });
    };
    running.add(child.pid);
    signal?.addEventListener('abort', kill);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => settle(127, error.message));
    child.on('close', (code) => settle(code, output));
  });
}

/** Ends what {@link run} started when this process is told to end; children in groups of their own do not get the terminal's Ctrl-C. */
export function endChildrenOnSignals() {
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(name, () => {
      for (const pid of running) killGroup(pid);
      process.exit(code);
    });
  }
}

function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
