import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { claimPort } from '../../../../src/runtime/process/ports.js';
import { temporaryFolder } from './temporary.js';

const option = '--temporal-port';

describe('claiming a port', () => {
  it('refuses one that was asked for and is in use', async () => {
    const { port, close } = await listening();
    await expect(claimPort({ option, preferred: 1, asked: port }, temporaryFolder())).rejects.toMatchObject({
      code: 'MEDIC_PORT_TAKEN',
      message: `port ${port}, asked for by --temporal-port, is in use`,
      next: 'Free it, or leave the option out to take the next free one.',
    });
    await close();
  });

  it('takes the next free one if none was asked for', async () => {
    const { port, close } = await listening();
    const claimed = await claimPort({ option, preferred: port }, temporaryFolder());
    expect(claimed.port).toBeGreaterThan(port);
    await close();
  });

  it('never gives the same port twice, although nobody listens on it yet', async () => {
    const folder = temporaryFolder();
    const claims = await Promise.all([1, 2, 3, 4].map(() => claimPort({ option, preferred: 17_233 }, folder)));
    expect(new Set(claims.map(({ port }) => port)).size).toBe(4);
  });

  it('gives a released port again', async () => {
    const folder = temporaryFolder();
    const first = await claimPort({ option, preferred: 17_733 }, folder);
    first.release();
    const again = await claimPort({ option, preferred: 17_733 }, folder);
    expect(again.port).toBe(first.port);
  });
});

async function listening(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}
