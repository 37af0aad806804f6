import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { DemoSummary } from '../../src/cli/demo-summary.js';
import { compiledFile } from '../../src/runtime/package-root.js';
import { until } from '../support/until.js';

const home = mkdtempSync(join(tmpdir(), 'medic-demo-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const demo = (...args: string[]) =>
  execa(process.execPath, [compiledFile('src/cli/main.ts'), 'demo', '--home', home, ...args], {
    reject: false,
    stdin: 'ignore',
    buffer: { stdout: true, stderr: true },
    detached: true,
  });

/** Every process of this machine that names the home on its command line. */
function processesOfHome(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(home) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

describe('the demo', () => {
  it('finds, repairs and proves a killed store, writes its numbers, and leaves nothing running', async () => {
    const summary = join(home, 'summary.json');
    const ran = await demo('--summary', summary);
    if (ran.exitCode !== 0) throw new Error(`the demo ended with ${ran.exitCode}:\n${ran.stdout}\n${ran.stderr}`);
    expect(ran.stderr).toBe('');
    const numbers = JSON.parse(readFileSync(summary, 'utf8')) as DemoSummary;
    expect(numbers).toMatchObject({
      fault: 'node_kill',
      ticket: 'tikv/1',
      phase: 'resolved',
      proof: 'healthy',
      causeGone: true,
      faultTruth: 'gone',
      acts: 1,
      reasoner: 'rules',
      profile: 'fast',
    });
    expect(numbers.detectMs).toBeGreaterThan(0);
    expect(numbers.repairMs).toBeGreaterThan(numbers.detectMs ?? Number.POSITIVE_INFINITY);
    expect(numbers.provenMs).toBeGreaterThan(numbers.repairMs ?? Number.POSITIVE_INFINITY);
    expect(readFileSync(join(home, 'tickets', 'tikv-1.md'), 'utf8')).toContain('process-dead');
    expect(processesOfHome()).toEqual([]);
  }, 240_000);

  it('begins afresh with the next number, and killed with -9 leaves no process after five seconds', async () => {
    const running = demo();
    let said = '';
    running.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until('the next ticket', () => (said.includes('tikv/2 filed') ? true : undefined), {
      deadlineMs: 150_000,
      seen: () => said.slice(-500),
    });
    expect(processesOfHome().length).toBeGreaterThan(8);
    running.kill('SIGKILL');
    await running;
    await until('all processes of the demo to be gone', () => (processesOfHome().length === 0 ? true : undefined), {
      deadlineMs: 5_000,
      seen: processesOfHome,
    });
  }, 240_000);
});
