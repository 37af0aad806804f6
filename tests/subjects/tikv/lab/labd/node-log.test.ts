import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openNodeLog, readNodeLog } from '../../../../../subjects/tikv/lab/labd/node-log.js';

describe('the log of a node', () => {
  let dir: string;
  let file: string;
  const now = () => new Date('2026-11-30T14:00:05.250Z');
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'medic-log-'));
    file = join(dir, 'logs', 'pd-0.log');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('keeps a bounded amount, and the newest of it', () => {
    const log = openNodeLog({ file, now, maxBytes: 1_000 });
    for (let i = 0; i < 500; i += 1) log.write(Buffer.from(`line ${i}\n`));
    const bytes = readdirSync(join(dir, 'logs')).map((name) => statSync(join(dir, 'logs', name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_000);
    expect(readNodeLog({ file, tail: 150 }).slice(-150)).toEqual(
      Array.from({ length: 150 }, (_, i) => `line ${i + 350}`).slice(-150),
    );
  });

  it('goes on in the file of an earlier labd and still rotates at the bound', () => {
    openNodeLog({ file, now, maxBytes: 1_000 }).write(Buffer.from(`${'a'.repeat(899)}\n`));
    openNodeLog({ file, now, maxBytes: 1_000 }).write(Buffer.from(`${'b'.repeat(899)}\n`));
    expect(statSync(`${file}.1`).size).toBe(900);
    expect(readNodeLog({ file }).map((line) => line[0])).toEqual(['a', 'b']);
  });

  it('leaves its own notes in the look of the node, on a line of their own', () => {
    const log = openNodeLog({ file, now });
    log.write(Buffer.from('cut off in the mid'));
    log.note('process ended: SIGKILL');
    expect(readNodeLog({ file })).toEqual([
      'cut off in the mid',
      '[2026/11/30 14:00:05.250 +00:00] [INFO] [labd] ["process ended: SIGKILL"]',
    ]);
  });

  it('gives lines since a time, with the lines that belong to them', () => {
    const log = openNodeLog({ file, now });
    const lines = [
      '[2026/11/30 14:00:00.000 +00:00] [INFO] [a.rs:1] ["old"]',
      'trace of the old',
      '[2026/11/30 16:00:01.000 +02:00] [INFO] [a.rs:1] ["new, said in another zone"]',
      'trace of the new',
    ];
    log.write(Buffer.from(lines.map((line) => `${line}\n`).join('')));
    expect(readNodeLog({ file, since: new Date('2026-11-30T14:00:00.500Z') })).toEqual(lines.slice(2));
    expect(readNodeLog({ file, since: new Date('2026-11-30T14:00:00.500Z'), tail: 1 })).toEqual(lines.slice(3));
    expect(readNodeLog({ file, since: new Date('2026-11-30T14:00:09Z') })).toEqual([]);
    expect(readNodeLog({ file, tail: 0 })).toEqual([]);
  });
});
