import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommand } from '../../../../src/policy/parse.js';
import type { Argv, Word } from '../../../../src/policy/row.js';
import { randomScript } from './random-script.js';

const SCRIPTS = Number(process.env.MEDIC_FUZZ_SCRIPTS ?? 300);
const FIRST_SEED = Number(process.env.MEDIC_FUZZ_SEED ?? 1);

/** Real carriers; everything else that a script may start is a stub that writes down its argv. */
const REAL = ['sh', 'bash', 'env', 'timeout', 'nohup', 'nice', 'xargs', 'find'];

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'medic-soundness-'));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

describe('flattening, against real bash', () => {
  it('predicts every argv that bash executes', async () => {
    const seeds = Array.from({ length: SCRIPTS }, (_, index) => FIRST_SEED + index);
    const lanes = [0, 1].map((lane) =>
      runLane(
        lane,
        seeds.filter((seed) => seed % 2 === lane),
      ),
    );
    const results = (await Promise.all(lanes)).flat();
    expect(results.flatMap(({ surprises }) => surprises)).toEqual([]);
    const executed = results.reduce((sum, { executed: count }) => sum + count, 0);
    const refused = results.filter(({ refusal }) => refusal !== null);
    expect(executed).toBeGreaterThan(2 * SCRIPTS);
    expect(refused.length).toBeLessThan(SCRIPTS / 2);
  });

  it('would notice an argv that was not predicted', () => {
    const { commands } = parseCommand('c1 a "$x" *.c');
    expect(isPredicted(['c1', 'a', 'b', 'c.c', 'd.c'], commands)).toBe(true);
    expect(isPredicted(['c1', 'a'], commands)).toBe(false);
    expect(isPredicted(['c1', 'b', 'b'], commands)).toBe(false);
    expect(isPredicted(['c2', 'a', 'b'], commands)).toBe(false);
  });
});

interface Result {
  readonly refusal: string | null;
  readonly executed: number;
  readonly surprises: readonly string[];
}

async function runLane(lane: number, seeds: readonly number[]): Promise<Result[]> {
  const bin = join(dir, `bin${lane}`);
  await makeStubs(bin);
  const results: Result[] = [];
  for (const seed of seeds) results.push(await check(randomScript(seed), { bin, seed }));
  return results;
}

async function check(script: string, { bin, seed }: { bin: string; seed: number }): Promise<Result> {
  const { commands, refusals } = parseCommand(script);
  if (refusals[0]) return { refusal: refusals[0].reason, executed: 0, surprises: [] };
  const log = join(dir, `log${seed}`);
  await writeFile(log, '');
  await execute(script, { bin, log });
  const executed = (await readFile(log, 'utf8'))
    .split('\x1e')
    .slice(0, -1)
    .map((line) => line.split('\x1f'));
  const surprises = executed.filter((argv) => !isPredicted(argv, commands));
  return {
    refusal: null,
    executed: executed.length,
    surprises: surprises.map((argv) => `seed ${seed}: ${JSON.stringify(argv)} of ${JSON.stringify(script)}`),
  };
}

async function makeStubs(bin: string): Promise<void> {
  await mkdir(bin);
  for (let n = 0; n < 10; n += 1) {
    const path = join(bin, `c${n}`);
    const record = `l=c${n}; for a; do l="$l\x1f$a"; done; printf '%s\\036' "$l" >> "$STUB_LOG"`;
    await writeFile(path, `#!/bin/sh\n${record}\necho out${n} two\nexit ${n % 2}\n`);
    await chmod(path, 0o755);
  }
  for (const name of REAL) await symlink((await which(name)).trim(), join(bin, name));
}

function which(name: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `command -v ${name}`], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)));
  });
}

/** As the local host runs it. Its output stays open until the last of its background processes has ended. */
function execute(script: string, { bin, log }: { bin: string; log: string }): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', script], {
      cwd: dir,
      env: { PATH: bin, HOME: '/nonexistent', STUB_LOG: log },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.resume();
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 10_000);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const isPredicted = (argv: readonly string[], commands: readonly Argv[]): boolean =>
  commands.some(({ words }) => words[0]?.text === argv[0] && matches(argv.slice(1), words.slice(1)));

function matches(argv: readonly string[], words: readonly Word[]): boolean {
  const [word, ...rest] = words;
  if (!word) return argv.length === 0;
  if (word.multi && matches(argv, rest)) return true;
  if (argv.length === 0 || !(word.dynamic || word.multi || word.text === argv[0])) return false;
  return matches(argv.slice(1), word.multi ? words : rest);
}
