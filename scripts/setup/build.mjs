import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SetupFailure } from './failure.mjs';
import { run } from './run.mjs';
import { filesBelow, hashOf, readStamp } from './stamp.mjs';

/**
 * Compiles the sources into dist/ and bundles the workflows, unless dist/.built holds the hash of these very sources.
 * Throws MEDIC_SETUP_BUILD. Files that are not TypeScript (.proto, Markdown, YAML) are not copied: code reads them from the package root.
 */
export async function requireBuild({ root, env, tell }) {
  const stamp = join(root, 'dist', '.built');
  const sources = sourcesOf(root);
  const hash = hashOf(root, [...sources, ...settingsOf(root)]);
  if (readStamp(stamp) === hash) return;
  const startedMs = performance.now();
  tell.note('building');
  rmSync(stamp, { force: true });
  removeOrphans(root, sources);
  await must('tsc', [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'], {
    root,
    env,
    tell,
  });
  await must('the workflow bundle', [join('scripts', 'bundle.mjs')], { root, env, tell });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, hash);
  tell.step('built', performance.now() - startedMs);
}

async function must(what, args, { root, env, tell }) {
  const { code, output } = await run(process.execPath, args, { cwd: root, env });
  if (code === 0) return;
  tell.detail(output);
  throw new SetupFailure('MEDIC_SETUP_BUILD', `${what} ended with ${code}.`);
}

function sourcesOf(root) {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  return include.flatMap((folder) => filesBelow(join(root, folder), (name) => name.endsWith('.ts')));
}

// The bundle depends on the packages too: another Temporal SDK makes another bundle.
function settingsOf(root) {
  return ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', join('scripts', 'bundle.mjs')]
    .map((name) => join(root, name))
    .filter(existsSync);
}

// tsc never removes the output of a source that is gone; a stale module would still be found by an import.
function removeOrphans(root, sources) {
  const dist = join(root, 'dist');
  const expected = new Set(sources.map((file) => relative(root, file).replace(/\.ts$/, '')));
  for (const file of filesBelow(dist, (name) => /\.(js|js\.map|d\.ts)$/.test(name))) {
    if (!expected.has(relative(dist, file).replace(/\.(js|js\.map|d\.ts)$/, ''))) rmSync(file);
  }
}
