import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fixtureRoot, linkPackages, node } from '../fixture-root.js';

const CLI = (version: string) => `#!/bin/sh\necho "temporal version ${version} (Server 1.0.0, UI 1.0.0)"\n`;
// The compiler and the bundler run for real, and the machine may be busy.
jest.setTimeout(120_000);

const SOURCE = { 'src/hello.ts': 'export const hello: string = "hello";\n' };

const WORKFLOW = {
  'workflows/all.ts': 'export async function ask() {\n  return "this very workflow";\n}\n',
  'scripts/bundle.mjs': readFileSync('scripts/bundle.mjs', 'utf8'),
};

/** A PATH on which there is a shell and Node, and no `temporal`. */
const BARE_PATH = '/usr/bin:/bin';

describe('setup in a fresh checkout', () => {
  it('builds, bundles the workflows, finds the Temporal CLI on PATH, and the second time does nothing within a second', async () => {
    const root = fixtureRoot({ ...SOURCE, ...WORKFLOW, 'bin/temporal': CLI('1.9.2') });
    linkPackages(root);
    takePackagesAsInstalled(root);
    const { code, stdout } = await setup(root, { PATH: `${root}/bin:${BARE_PATH}` });
    expect(stdout).toMatch(/^\S+Z setup {3}packages ok · build ok · temporal 1\.9\.2 ok +\d+\.\d s$/m);
    expect(code).toBe(0);
    expect(readFileSync(join(root, 'dist/src/hello.js'), 'utf8')).toContain('hello');
    expect(readFileSync(join(root, 'dist/workflow-bundle.js'), 'utf8')).toContain('this very workflow');
    const again = [await timed(root), await timed(root), await timed(root)];
    expect(again.map(({ lines }) => lines)).toEqual([1, 1, 1]);
    expect(Math.min(...again.map(({ ms }) => ms))).toBeLessThan(1000);
  });

  it('builds again when a source changed, and removes the output of a source that is gone', async () => {
    const root = fixtureRoot({ ...SOURCE, 'src/gone.ts': 'export const gone = 1;\n', 'bin/temporal': CLI('1.9.2') });
    linkPackages(root);
    takePackagesAsInstalled(root);
    const PATH = `${root}/bin:${BARE_PATH}`;
    await setup(root, { PATH });
    writeFileSync(join(root, 'src/hello.ts'), 'export const hello: string = "changed";\n');
    await node(['-e', 'fs.rmSync("src/gone.ts")'], { cwd: root });
    const { stdout } = await setup(root, { PATH });
    expect(stdout).toContain('setup   building');
    expect(readFileSync(join(root, 'dist/src/hello.js'), 'utf8')).toContain('changed');
    expect(() => readFileSync(join(root, 'dist/src/gone.js'))).toThrow('ENOENT');
  });
});

describe('setup that cannot go on says in one line why and what to do', () => {
  it('with an old Node', async () => {
    const root = fixtureRoot({ 'old.mjs': 'Object.defineProperty(process.versions, "node", { value: "18.20.4" });' });
    const ended = await node(['--import', './old.mjs', 'scripts/setup.mjs'], { cwd: root });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'MEDIC_SETUP_NODE  Node 18.20.4 is too old: Medic needs 20.19 or newer. Install Node 20 LTS or newer and run this again.\n',
    });
  });

  it('without permission to write', async () => {
    const root = fixtureRoot({ '.cache': 'a file where a folder must be' });
    const { code, stderr } = await setup(root, {});
    expect(stderr).toBe(
      `MEDIC_SETUP_NOT_WRITABLE  cannot write in ${root}/.cache (EEXIST). Give your user write permission there, or use a checkout that you own.\n`,
    );
    expect(code).toBe(1);
  });

  it('with an option that it does not know, as a usage error', async () => {
    const { code, stderr } = await node(['scripts/setup.mjs', '--ofline'], { cwd: fixtureRoot() });
    expect(stderr).toMatch(/^MEDIC_SETUP_USAGE {2}`--ofline` is not an option of setup\. Usage: .*\n$/);
    expect(code).toBe(2);
  });

  it('when the sources do not compile, after the words of the compiler', async () => {
    const root = fixtureRoot({ 'src/wrong.ts': 'export const wrong: string = 1;\n' });
    linkPackages(root);
    takePackagesAsInstalled(root);
    const { code, stderr } = await setup(root, {});
    const lines = stderr.trim().split('\n');
    expect(lines[0]).toContain('src/wrong.ts(1,14): error TS2322');
    expect(lines.at(-1)).toBe('MEDIC_SETUP_BUILD  tsc ended with 2. Fix what is listed above and run this again.');
    expect(code).toBe(1);
  });

  it('when packages are missing and --offline finds none in the cache', async () => {
    const dependencies = { 'no-such-package-here': '1.0.0' };
    const root = fixtureRoot({
      'package.json': JSON.stringify({ name: 'fixture', version: '1.0.0', dependencies }),
      'package-lock.json': lockOf({ '': { dependencies }, 'node_modules/no-such-package-here': { version: '1.0.0' } }),
    });
    const { code, stderr } = await setup(root, { npm_config_cache: join(root, 'npm-cache') });
    expect(stderr).toMatch(/\nMEDIC_SETUP_PACKAGES {2}npm ci ended with 1\. .*\n$/);
    expect(code).toBe(1);
  });
});

async function timed(root: string): Promise<{ lines: number; ms: number }> {
  const startedMs = performance.now();
  const { stdout } = await setup(root, { PATH: `${root}/bin:${BARE_PATH}` });
  return { lines: stdout.trim().split('\n').length, ms: performance.now() - startedMs };
}

function setup(root: string, env: NodeJS.ProcessEnv) {
  return node(['scripts/setup.mjs', '--offline'], { cwd: root, env });
}

/** A lock file that agrees with what is installed here: setup then leaves the (linked) packages alone. */
function takePackagesAsInstalled(root: string): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  writeFileSync(join(root, 'package-lock.json'), lockOf(packages));
}

function lockOf(packages: Record<string, object>): string {
  return JSON.stringify({ name: 'fixture', version: '1.0.0', lockfileVersion: 3, packages: { '': {}, ...packages } });
}
