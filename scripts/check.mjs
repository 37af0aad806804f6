/** Format, lint, types, arrows between rooms, dead code: one line each with its duration, what failed in full below. Exit 1 if any failed. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBoundaries } from './check/boundaries.mjs';
import { tool } from './check/tool.mjs';
import { endChildrenOnSignals } from './setup/run.mjs';
import { row } from './setup/teller.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const CHECKS = {
  'biome: format and lint': tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']),
  'eslint: the rules that need types': tool('eslint', 'eslint', ['--max-warnings', '0', '.']),
  'tsc: types': tool('typescript', 'tsc', ['-p', 'tsconfig.json']),
  'dependency-cruiser: arrows between rooms': checkBoundaries,
  'knip: dead code and dependencies': tool('knip', 'knip', ['--no-progress']),
};

endChildrenOnSignals();
const failures = [];
for (const [title, check] of Object.entries(CHECKS)) {
  const startedMs = performance.now();
  const { ok, output } = await check({ root });
  console.log(row('check', `${ok ? 'ok    ' : 'FAILED'} ${title}`, performance.now() - startedMs));
  if (!ok) failures.push({ title, output });
}
for (const { title, output } of failures) console.error(`\n${title}\n${output.trimEnd()}`);
if (failures.length > 0) {
  console.error(
    `\n${failures.length} of ${Object.keys(CHECKS).length} checks failed: ${failures.map(({ title }) => title.split(':')[0]).join(', ')}`,
  );
  process.exitCode = 1;
}
