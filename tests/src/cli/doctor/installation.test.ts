import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { installationFindings } from '../../../../src/cli/doctor/installation.js';
import { loadMedic } from '../../../../src/config/medic.js';
import { contentFiles } from '../../../../src/runtime/content.js';
import { refusingServer } from '../../../support/http-server.js';
import { receiver } from '../../../support/receiver.js';
import { withFile } from '../../config/written.js';
import { withHome } from '../../evidence/home.js';

async function findings(text: string, env: Record<string, string>) {
  const config = await withFile('medic.yaml', text, loadMedic);
  return withHome(async (home) => {
    const found = await installationFindings({
      home: join(home, 'not-yet', 'made'),
      config,
      files: contentFiles(),
      env,
    });
    return Object.fromEntries(found.map(({ check, ...rest }) => [check, rest]));
  });
}

describe('doctor on an installation', () => {
  it('finds the files, the room for evidence and the key of a model, and tells whether one is there', async () => {
    const found = await findings('version: 1\n', {});
    expect(Object.values(found).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(found['model key']?.seen).toBe('ANTHROPIC_API_KEY is not set: the rules reason');
    expect((await findings('version: 1\n', { ANTHROPIC_API_KEY: 'k' }))['model key']?.seen).toBe(
      'ANTHROPIC_API_KEY is set',
    );
  });

  it('knocks at those who are to be told, and tells them nothing', async () => {
    const there = await receiver();
    const { origin } = await refusingServer();
    const text = `version: 1
notify:
  - { name: hook, type: webhook, url: '${there.url}/x', secret: { env: HOOK } }
  - { name: gone, type: webhook, url: '${origin}/x', secret: { env: HOOK } }
  - { name: bare, type: webhook, url: '${there.url}/x', secret: { env: NOT_SET } }
  - { name: chat, type: slack, address: { env: CHAT } }
intake: { token: { env: NOT_SET } }
`;
    const found = await findings(text, { HOOK: 's3', CHAT: 'no address' });
    await there.close();
    expect(found).toMatchObject({
      'notify hook': { state: 'ok', seen: expect.stringContaining('open; `./medic notify test` sends one') },
      'notify gone': { state: 'unreachable', seen: expect.stringContaining('connection refused') },
      'notify bare': { state: 'fix', seen: expect.stringContaining('MEDIC_SECRET_MISSING  the variable NOT_SET') },
      'notify chat': { state: 'fix', seen: 'its secret is no address' },
      intake: { state: 'fix', seen: expect.stringContaining('MEDIC_SECRET_MISSING') },
    });
    expect(there.received).toEqual([]);
  });

  it('says that a Temporal that was named does not answer', async () => {
    const { address } = await refusingServer();
    const found = await findings('version: 1\n', { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'medic' });
    expect(found.TEMPORAL_ADDRESS).toMatchObject({
      state: 'unreachable',
      seen: `${address}, namespace medic does not answer: check the address, the namespace, TLS and key`,
    });
  });
});
