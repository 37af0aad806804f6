import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { downloadBySdk } from '../../../scripts/setup/temporal-sdk.mjs';
import { fixtureRoot } from '../fixture-root.js';

const NO_NETWORK = [
  'throw new Error("failed to download: error sending request for url (U?a=b): error sending request for url (U?a=b): ',
  'client error (Connect): dns error: failed to lookup address information: Name or service not known]")',
].join('');
const DOWNLOADS = `import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[2] + '/temporal-cli', '#!/bin/sh\\necho "temporal version 1.9.5 (Server 1, UI 1)"\\n');`;

describe("the SDK's download of the Temporal CLI", () => {
  it('gives the cause, not the whole chain, if the host is unreachable', async () => {
    const { folder, script } = work(NO_NETWORK);
    const result = await downloadBySdk({ folder, env: process.env, script });
    expect(result).toEqual({
      problem: 'dns error: failed to lookup address information: Name or service not known',
    });
  });

  it('is given up if no download begins', async () => {
    const { folder, script } = work('setInterval(() => {}, 1000)');
    const result = await downloadBySdk({ folder, env: process.env, script, firstSignMs: 300 });
    expect(result).toEqual({ problem: 'no answer within 0.3 s' });
  });

  it('is moved out of the folder that the SDK cleans up', async () => {
    const { folder, script } = work(DOWNLOADS);
    const result = await downloadBySdk({ folder, env: process.env, script });
    expect(result).toEqual({ cli: { path: join(folder, 'temporal'), version: '1.9.5' } });
    expect(readdirSync(folder)).toEqual(['temporal']);
  });
});

function work(text: string): { folder: string; script: string } {
  const root = fixtureRoot({ 'download.mjs': text });
  const folder = join(root, 'work');
  mkdirSync(folder);
  return { folder, script: join(root, 'download.mjs') };
}
