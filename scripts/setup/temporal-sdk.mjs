import { chmodSync, copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';
import { CLI_VERSION, usableCli } from './temporal-cli.mjs';

const FIRST_SIGN_MS = 10_000;
const DOWNLOAD_MS = 120_000;
const POLL_MS = 250;
const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'sdk-download.mjs');

/**
 * Lets the Temporal SDK fetch the CLI into `folder`/temporal. The SDK keeps its own copy for a day only, so ours is moved out.
 * Gives `{cli}` or `{problem}`; gives up after 10 s without a sign of a download (a firewall that swallows packets), else after 2 min.
 */
export async function downloadBySdk({ folder, env, script = SCRIPT, firstSignMs = FIRST_SIGN_MS }) {
  const work = mkdtempSync(join(folder, 'sdk-'));
  try {
    const { code, output, silent } = await watched({ work, env, script, firstSignMs });
    const file = readdirSync(work)[0];
    if (code !== 0 || !file)
      return { problem: silent ? `no answer within ${firstSignMs / 1000} s` : reason(code, output) };
    return await keep(join(work, file), join(folder, 'temporal'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function watched({ work, env, script, firstSignMs }) {
  const giveUp = new AbortController();
  const startedMs = performance.now();
  let silent = false;
  const timer = setInterval(() => {
    if (readdirSync(work).length > 0) return clearInterval(timer);
    if (performance.now() - startedMs < firstSignMs) return undefined;
    silent = true;
    return giveUp.abort();
  }, POLL_MS);
  const args = [script, work, `v${CLI_VERSION}`];
  const result = await run(process.execPath, args, { env, timeoutMs: DOWNLOAD_MS, signal: giveUp.signal });
  clearInterval(timer);
  return { ...result, silent };
}

async function keep(file, target) {
  copyFileSync(file, `${target}.new`);
  chmodSync(`${target}.new`, 0o755);
  renameSync(`${target}.new`, target);
  return usableCli(target);
}

function reason(code, output) {
  if (code === null) return `not finished within ${DOWNLOAD_MS / 1000} s`;
  const line = output.split('\n').find((text) => text.includes('Error')) ?? '';
  // The message repeats the address at each level: `... for url (U): ... for url (U): dns error: why]`.
  const cause = line
    .replace(/^.*\): /, '')
    .replace(/\].*$/, '')
    .trim();
  return cause.slice(0, 200) || `the download ended with ${code}`;
}
