import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withSetupLock } from '../../../scripts/setup/lock.mjs';
import { fixtureRoot } from '../fixture-root.js';

const quiet = { note: () => undefined };

describe('two setups of one checkout', () => {
  it('run one after the other', async () => {
    const root = rootWithCache();
    const order: string[] = [];
    const slow = withSetupLock({ root, tell: quiet }, async () => {
      order.push('first begins');
      await new Promise((resolve) => setTimeout(resolve, 300));
      order.push('first ends');
    });
    const second = withSetupLock({ root, tell: quiet }, async () => order.push('second begins'));
    await Promise.all([slow, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins']);
  });

  it('take over the lock of one that was killed', async () => {
    const root = rootWithCache();
    writeFileSync(join(root, '.cache/setup.lock'), '999999999 123');
    await expect(withSetupLock({ root, tell: quiet }, async () => 'ran')).resolves.toBe('ran');
  });

  it('take over the lock of a killed one whose pid belongs to another process now', async () => {
    const root = rootWithCache();
    writeFileSync(join(root, '.cache/setup.lock'), `${process.pid} 1`);
    await expect(withSetupLock({ root, tell: quiet }, async () => 'ran')).resolves.toBe('ran');
  });

  it('leave no lock behind a failure', async () => {
    const root = rootWithCache();
    const failing = withSetupLock({ root, tell: quiet }, async () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(withSetupLock({ root, tell: quiet }, async () => 'ran')).resolves.toBe('ran');
  });
});

function rootWithCache(): string {
  const root = fixtureRoot();
  mkdirSync(join(root, '.cache'));
  return root;
}
