import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { FAULTS } from '../../../chaos/faults.js';
import type { MatrixRow } from '../../../chaos/matrix.js';
import { compiledFile } from '../../../src/runtime/package-root.js';

const home = mkdtempSync(join(tmpdir(), 'medic-matrix-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const HELD = { confirmed: true, effect: true, gone: true, identical: true };

describe('every fault on a lab that nobody operates', () => {
  it('is confirmed, is there, is gone after healing, and leaves the cluster as it was', async () => {
    const ran = await execa(
      process.execPath,
      [compiledFile('src/cli/main.ts'), 'chaos', 'matrix', '--home', home, '--json'],
      { reject: false, stdin: 'ignore' },
    );
    const { value } = JSON.parse(ran.stdout) as { value: { rows: MatrixRow[] } };
    expect(value.rows.map(({ seconds: _, target: __, ...row }) => row)).toEqual(
      FAULTS.map(({ name }) => ({ fault: name, ...HELD, skipped: null, note: '' })),
    );
    const [kill, pause, leader] = value.rows;
    expect([kill?.target, pause?.target, leader?.target]).toEqual([
      expect.stringMatching(/^tikv-\d$/),
      expect.stringMatching(/^tikv-\d$/),
      expect.stringMatching(/^pd-\d$/),
    ]);
    expect(ran.exitCode).toBe(0);
  }, 300_000);
});
