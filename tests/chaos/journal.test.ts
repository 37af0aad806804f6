import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openChaosJournal } from '../../chaos/journal.js';
import type { Injection } from '../../chaos/protocol.js';

describe('the journal of injections', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'medic-chaos-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const injection = (id: string, at: string): Injection => ({
    id,
    fault: 'node_kill',
    target: 'tikv-1',
    labId: 'l',
    labDir: '/lab',
    at,
    detail: { process: { pid: 7, start: '9' } },
  });

  it('is read by another process as it was written', () => {
    const one = injection('node_kill-1', '2026-11-30T14:00:00.000Z');
    openChaosJournal(join(dir, 'deep')).injected(one);
    expect(openChaosJournal(join(dir, 'deep')).get('node_kill-1')).toEqual({ injection: one, state: 'injected' });
  });

  it('follows an injection from begun to healed, in one file', () => {
    const journal = openChaosJournal(dir);
    const one = injection('node_kill-1', '2026-11-30T14:00:00.000Z');
    journal.begun(one);
    expect(journal.get(one.id).state).toBe('begun');
    journal.injected(one);
    journal.healed(one, { outcome: 'healed', seen: 'runs' });
    expect(journal.get(one.id)).toEqual({
      injection: one,
      state: 'healed',
      healing: { outcome: 'healed', seen: 'runs' },
    });
    expect(readdirSync(dir)).toEqual(['node_kill-1.json']);
  });

  it('lists the newest first, and nothing where nothing was injected', () => {
    const journal = openChaosJournal(join(dir, 'none-yet'));
    expect(journal.list()).toEqual([]);
    journal.begun(injection('a', '2026-11-30T14:00:00.000Z'));
    journal.begun(injection('b', '2026-11-30T15:00:00.000Z'));
    expect(journal.list().map((entry) => entry.injection.id)).toEqual(['b', 'a']);
  });

  it('refuses an id that it does not know, also one that would leave its folder', () => {
    const journal = openChaosJournal(join(dir, 'journal'));
    openChaosJournal(dir).begun(injection('secret', '2026-11-30T14:00:00.000Z'));
    expect(() => journal.get('../secret')).toThrow('no injection ../secret is recorded');
  });
});
