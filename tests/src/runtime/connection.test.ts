import { describe, expect, it } from '@jest/globals';
import { connectClient } from '../../../src/runtime/connection.js';
import { answers } from '../../../src/runtime/process/dev-server.js';
import { silentServer } from '../../support/silent-server.js';
import { withTemporalServer } from '../../support/temporal-server.js';

const server = withTemporalServer();

describe('connecting to Temporal', () => {
  it('gives a client for the namespace', async () => {
    const { client } = server.connected;
    expect(client.options.namespace).toBe('default');
    expect((await client.workflow.count('WorkflowId = "none"')).count).toBe(0);
  });

  it('says where nothing answers', async () => {
    const connected = connectClient({ address: '127.0.0.1:1', namespace: 'default', withinMs: 500 });
    await expect(connected).rejects.toMatchObject({
      code: 'MEDIC_TEMPORAL_UNREACHABLE',
      message: expect.stringContaining('no Temporal answers at 127.0.0.1:1: '),
    });
  });

  it('gives up on a server that takes the connection and says nothing', async () => {
    const { address, end } = await silentServer();
    await expect(connectClient({ address, namespace: 'default', withinMs: 500 })).rejects.toMatchObject({
      code: 'MEDIC_TEMPORAL_UNREACHABLE',
    });
    end();
  });

  it('tells a namespace that is there from one that is not', async () => {
    const { address } = server;
    expect(await answers({ address, namespace: 'default' })).toBe(true);
    expect(await answers({ address, namespace: 'nowhere' })).toBe(false);
  });
});
