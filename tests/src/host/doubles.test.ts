import { describe, expect, it } from '@jest/globals';
import { callBytes } from '../../../src/domain/query.js';
import { createDryRunHost } from '../../../src/host/dry-run.js';
import { NOTHING_RAN, succeeded } from '../../../src/host/host.js';
import { createRecordedHost } from '../../../src/host/recorded.js';

describe('the dry-run host', () => {
  it('says what it would run, and hands it to its recorder', async () => {
    const asked: string[] = [];
    const host = createDryRunHost({ name: 'lab', record: (command) => asked.push(command) });
    const outcome = await host.run({ command: 'labctl start tikv-2', timeoutMs: 1_000 });
    expect(outcome.head).toBe('would run on lab: labctl start tikv-2\n');
    expect(asked).toEqual(['labctl start tikv-2']);
  });
});

describe('the recorded host', () => {
  const ps = { ...NOTHING_RAN, exitCode: 0, head: '[]', bytes: 2 };
  const outcomes = new Map([[callBytes({ kind: 'shell', host: 'lab', command: 'labctl ps' }), ps]]);
  const host = createRecordedHost({ name: 'lab', outcomes });

  it('answers a recorded command, and only from its own host', async () => {
    expect(await host.run({ command: 'labctl ps', timeoutMs: 1_000 })).toEqual(ps);
    const other = createRecordedHost({ name: 'other', outcomes });
    expect((await other.run({ command: 'labctl ps', timeoutMs: 1_000 })).exitCode).toBeNull();
  });

  it('never takes what was not recorded for a success', async () => {
    const outcome = await host.run({ command: 'labctl stop tikv-1', timeoutMs: 1_000 });
    expect(outcome.failure).toBe('no recorded outcome of `labctl stop tikv-1` on lab');
    expect(succeeded(outcome)).toBe(false);
    expect(succeeded(ps)).toBe(true);
  });
});
