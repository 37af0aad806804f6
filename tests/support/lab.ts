import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import { type LaunchedLab, type LaunchOptions, launchLab } from '../../subjects/tikv/lab/labd/launch.js';

/** A lab for the tests of one file (or of one `describe`). */
export interface TestLab {
  /** Throws before `beforeAll` is through. */
  readonly lab: Lab;
  readonly dir: string;
  readonly launched: LaunchedLab;
}

export interface WithLabOptions extends Omit<LaunchOptions, 'dir'> {
  /** How long the whole lab may take until it is healthy; 30 s by default, as the machine may be busy. */
  readonly healthyWithinMs?: number;
}

/**
 * Starts a real lab of stand-ins in a temporary folder before the tests, waits until it is healthy, and ends it after
 * them. Needs the compiled project (`npm run build`).
 *
 *     const test = withLab({ stores: 3 });
 *     it('...', async () => { await test.lab.stop('tikv-1'); });
 */
export function withLab({ healthyWithinMs = 30_000, ...options }: WithLabOptions = {}): TestLab {
  const dir = mkdtempSync(join(tmpdir(), 'medic-lab-'));
  let launched: LaunchedLab | undefined;
  let lab: Lab | undefined;
  beforeAll(async () => {
    launched = launchLab({ ...options, dir });
    lab = await launched.ready;
    const health = await lab.waitHealthy({ deadlineMs: healthyWithinMs });
    if (!health.healthy) throw new Error(`lab not healthy after ${health.tookMs} ms: ${health.missing.join('; ')}`);
  }, healthyWithinMs + 20_000);
  afterAll(async () => {
    await launched?.stop();
    rmSync(dir, { recursive: true, force: true });
  }, 15_000);
  return {
    dir,
    get lab() {
      return need(lab);
    },
    get launched() {
      return need(launched);
    },
  };
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the lab is not up before beforeAll has run');
  return value;
}
