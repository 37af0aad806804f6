import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';

const run = (env: Record<string, string>) =>
  execa(process.execPath, ['scripts/test-real-pd.mjs'], { reject: false, stdin: 'ignore', extendEnv: false, env });

describe('npm run test:real-pd', () => {
  it('says that nothing was run when there is no PD, and claims no pass', async () => {
    const { exitCode, stdout } = await run({});
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^NOT RUN: PD_SERVER is not set, so nothing was tested against a real PD\.$/m);
    expect(stdout).not.toContain('passed');
  });

  it('fails when the PD that it is given is no program', async () => {
    const { exitCode, stderr } = await run({ PD_SERVER: '/nowhere/pd-server' });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'PD_SERVER is /nowhere/pd-server, which is no program that can be run here. Nothing was tested.',
    );
  });
});
