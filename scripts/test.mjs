/**
 * Runs jest and ends with `N passed, N failed, N skipped` alone on the last line, computed from jest's JSON.
 * Arguments go to jest: `npm test -- tests/src/policy`. No test run at all is a failure.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binaryOf } from './check/tool.mjs';
import { countsLine, countTests, isGreen } from './test/counts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'medic-test-'));
const file = join(folder, 'report.json');

const exitCode = await jest(process.argv.slice(2));
const counts = countTests(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
rmSync(folder, { recursive: true });
console.log(countsLine(counts));
process.exitCode = isGreen(counts) ? exitCode : 1;

function jest(extra) {
  const args = [binaryOf(root, 'jest', 'jest'), '--json', '--outputFile', file, ...extra];
  // jest runs ES modules in a VM context only with this flag; the warning about it would be on every screen.
  const NODE_OPTIONS =
    `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim();
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
