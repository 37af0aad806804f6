import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from '../setup/run.mjs';
import { filesBelow } from '../setup/stamp.mjs';
import { binaryOf } from './tool.mjs';

const ROOMS = ['src', 'workflows', 'activities', 'subjects', 'chaos', 'bench', 'tests'];

/**
 * The arrows of .dependency-cruiser.cjs hold, and every TypeScript file was analysed. The second half matters: with a compiler
 * that it does not know, dependency-cruiser finds no modules and reports no violations.
 */
export async function checkBoundaries({ root }) {
  const rooms = ROOMS.filter((room) => existsSync(join(root, room)));
  const files = rooms.flatMap((room) => filesBelow(join(root, room), (name) => name.endsWith('.ts')));
  if (files.length === 0) return { ok: false, output: 'no TypeScript files found: nothing was checked' };
  const { report, output } = await cruise(root, rooms);
  if (!report) return { ok: false, output };
  const seen = new Set(report.modules.map(({ source }) => source));
  const unseen = files.map((file) => relative(root, file)).filter((file) => !seen.has(file));
  const problems = [...unseen.map((file) => `${file}: not analysed`), ...report.summary.violations.map(describe)];
  return { ok: problems.length === 0, output: problems.join('\n') };
}

async function cruise(root, rooms) {
  const folder = mkdtempSync(join(tmpdir(), 'medic-arrows-'));
  const file = join(folder, 'report.json');
  const binary = binaryOf(root, 'dependency-cruiser', 'depcruise');
  const args = [binary, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', '--output-to', file, ...rooms];
  try {
    const { output } = await run(process.execPath, args, { cwd: root });
    return { output, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describe({ from, to, rule, cycle }) {
  const path = cycle ? cycle.map(({ name }) => name).join(' → ') : to;
  return `${rule.name}: ${from} → ${path}`;
}
