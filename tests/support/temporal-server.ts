import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Connected, connectClient } from '../../src/runtime/connection.js';
import { devServerAddress, devServerChild, devServerReadiness } from '../../src/runtime/process/dev-server.js';
import { claimPort } from '../../src/runtime/process/ports.js';
import { createSupervisor } from '../../src/runtime/process/supervisor.js';
import { temporalCli } from '../../src/runtime/process/temporal-cli.js';

/** A Temporal server for the tests of one file, in memory, with Medic's flags and search attributes. Throws before `beforeAll` is through. */
export interface TestServer {
  readonly address: string;
  readonly connected: Connected;
}

/** Starts a real dev server before the tests of this file and ends it after them. Needs the compiled project (`npm run build`). */
export function withTemporalServer(): TestServer {
  const folder = mkdtempSync(join(tmpdir(), 'medic-temporal-'));
  const supervisor = createSupervisor({ report: () => undefined });
  let address = '';
  let connected: Connected | undefined;
  beforeAll(async () => {
    const { port } = await claimPort({ option: 'the test server', preferred: 17_800 });
    address = devServerAddress({ port });
    const server = devServerChild({ cli: temporalCli(), port, logFile: join(folder, 'temporal.log') });
    await supervisor.start(server, devServerReadiness({ address, namespace: 'default' }));
    connected = await connectClient({ address, namespace: 'default' });
  }, 40_000);
  afterAll(async () => {
    await connected?.connection.close();
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 15_000);
  return {
    get address() {
      return address;
    },
    get connected() {
      if (!connected) throw new Error('the test server is not up');
      return connected;
    },
  };
}
