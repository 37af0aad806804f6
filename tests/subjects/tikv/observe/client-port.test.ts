import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { knock } from '../../../../subjects/tikv/observe/client-port.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(): Promise<{ address: string; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no TCP address');
  return { address: `127.0.0.1:${bound.port}`, server };
}

describe('a knock at a client port', () => {
  it('finds a port open that takes connections, although nobody says a word', async () => {
    const { address } = await listening();
    expect(await knock({ address, deadlineMs: 2_000 })).toEqual({ kind: 'open' });
  });

  it('is refused where nobody listens', async () => {
    const { address, server } = await listening();
    await new Promise((resolve) => server.close(resolve));
    expect(await knock({ address, deadlineMs: 2_000 })).toEqual({ kind: 'refused' });
  });

  it('ends when it is cancelled', async () => {
    const { address } = await listening();
    expect(await knock({ address, deadlineMs: 2_000, signal: AbortSignal.abort() })).toMatchObject({ kind: 'broken' });
  });
});
