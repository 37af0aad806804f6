import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { identityOf, isAlive } from '../../../../src/runtime/process/identity.js';
import { lockHolder, takeLock } from '../../../../src/runtime/process/lock-file.js';
import { temporaryFolder } from './temporary.js';

describe('a lock file', () => {
  it('is taken, names its holder, and is gone when released', () => {
    const file = join(temporaryFolder(), 'lock');
    const answer = takeLock(file);
    if (!answer.taken) throw new Error('not taken');
    expect(lockHolder(file)).toMatchObject({ pid: process.pid });
    answer.release();
    expect(existsSync(file)).toBe(false);
  });

  it('is refused while its holder lives, and says who that is', () => {
    const file = join(temporaryFolder(), 'lock');
    takeLock(file);
    expect(takeLock(file)).toMatchObject({ taken: false, holder: { pid: process.pid } });
  });

  it('counts for nothing once its holder is dead', () => {
    const file = join(temporaryFolder(), 'lock');
    writeFileSync(file, JSON.stringify({ pid: 999_999_999, startTime: '1', since: 'then' }));
    expect(lockHolder(file)).toBeUndefined();
    expect(takeLock(file).taken).toBe(true);
  });

  it('counts for nothing if its pid belongs to a later process', () => {
    const file = join(temporaryFolder(), 'lock');
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: '1', since: 'then' }));
    expect(takeLock(file).taken).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(identityOf() ?? {});
  });

  it('counts for nothing if it holds no holder', () => {
    const file = join(temporaryFolder(), 'lock');
    writeFileSync(file, 'half a li');
    expect(takeLock(file).taken).toBe(true);
  });

  it('leaves no other files behind', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), 'stale');
    takeLock(join(folder, 'lock'));
    takeLock(join(folder, 'lock'));
    expect(readdirSync(folder)).toEqual(['lock']);
  });
});

describe('the identity of a process', () => {
  it('is alive for this process and not for one that started at another time', () => {
    const self = identityOf();
    if (!self) throw new Error('this process has no identity');
    expect(isAlive(self)).toBe(true);
    expect(isAlive({ ...self, startTime: `${self.startTime}0` })).toBe(false);
  });

  it('is undefined for a pid that nobody has', () => {
    expect(identityOf(999_999_999)).toBeUndefined();
  });
});
