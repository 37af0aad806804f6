/**
 * Runs jest and ends with `N passed, N failed, N skipped` alone on the last line, computed from jest's JSON.
 * Arguments go to jest: `npm test -- tests/src/policy`. No test run at all is a failure.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { binaryOf } from './check/tool.mjs';
import { countsLine, countTests, isGreen, sumOf } from './test/counts.mjs';
import { passesFor } from './test/passes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'medic-test-'));

let isStopped = false;
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  });

const ended = [];
for (const { args, beside } of passesFor(process.argv.slice(2))) {
  if (isStopped) break;
  const runs = [jest(args), ...(beside ? [jestBeside(beside)] : [])];
  ended.push(...(await Promise.all(runs)));
}
rmSync(folder, { recursive: true });
const green = ended.every(({ exitCode, counts }) => exitCode === 0 && isGreen(counts));
console.log(countsLine(sumOf(ended.map(({ counts }) => counts))));
process.exitCode = green ? 0 : (ended.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 1);

function jest(args) {
  return start(args, { stdio: 'inherit' }).result;
}

/** At a low priority; its words come when it has ended, so that they do not get between the other's. */
async function jestBeside(args) {
  const { child, result } = start(args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  yieldToOthers(child.pid);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  process.stdout.write(out);
  process.stderr.write(errors);
  return result;
}

/**
 * A tenth of a core when all want one, so that its own waits of some seconds still hold. A priority counts only within a
 * session where Linux groups processes by session (autogroup); there the session's does.
 */
function yieldToOthers(pid) {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  setPriority(pid, PRIORITY_BELOW_NORMAL);
  const session = `/proc/${pid}/autogroup`;
  if (existsSync(session)) writeFileSync(session, String(PRIORITY_BELOW_NORMAL));
}

function start(extra, options) {
  const file = join(mkdtempSync(join(folder, 'run-')), 'report.json');
  const args = [binaryOf(root, 'jest', 'jest'), '--json', '--outputFile', file, ...extra];
  // jest runs ES modules in a VM context only with this flag; the warning about it would be on every screen.
  const NODE_OPTIONS =
    `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim();
  const child = spawn(process.execPath, args, { ...options, cwd: root, env: { ...process.env, NODE_OPTIONS } });
  running.add(child);
  const closed = new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const result = closed.then((exitCode) => {
    running.delete(child);
    return { exitCode, counts: countTests(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined) };
  });
  return { child, result };
}
