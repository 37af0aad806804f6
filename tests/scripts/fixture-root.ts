import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from '@jest/globals';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/**
 * A small checkout with the real scripts, but nothing to bundle, in a folder that is removed after the test. `files` maps paths
 * to contents.
 */
export function fixtureRoot(files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'medic-root-'));
  made.push(root);
  for (const name of ['scripts', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(name, join(root, name), { recursive: true });
  for (const [path, text] of Object.entries({ ...PACKAGE, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 });
  }
  return root;
}

/** Gives a fixture the packages of this checkout, without copying them. */
export function linkPackages(root: string): void {
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node on a script and waits for its end. `env` replaces the environment except PATH and HOME. */
export function node(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; uid?: number },
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    ...options,
    env: { PATH, HOME, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const PACKAGE = {
  'scripts/bundle.mjs': '',
  'package.json': JSON.stringify({ name: 'fixture', version: '1.0.0', type: 'module' }),
  'package-lock.json': JSON.stringify({
    name: 'fixture',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'fixture', version: '1.0.0' } },
  }),
};
