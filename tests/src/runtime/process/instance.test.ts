import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type InstanceFacts, openInstance, readInstance } from '../../../../src/runtime/process/instance.js';
import { temporaryFolder } from './temporary.js';

const FACTS: InstanceFacts = {
  address: '127.0.0.1:7233',
  namespace: 'default',
  taskQueuePrefix: 'medic',
  ports: { temporal: 7233 },
  processes: { temporal: 41 },
};

describe('an instance', () => {
  it('is found by other verbs with all its facts', () => {
    const home = join(temporaryFolder(), 'home');
    openInstance({ home }).publish(FACTS);
    expect(readInstance({ home })).toMatchObject({ ...FACTS, pid: process.pid });
  });

  it('refuses a second start on its home, naming the first', () => {
    const home = temporaryFolder();
    openInstance({ home });
    expect(() => openInstance({ home })).toThrow(
      expect.objectContaining({
        code: 'MEDIC_INSTANCE_RUNNING',
        message: expect.stringMatching(`^a Medic runs on ${home} already \\(pid ${process.pid}, since \\d{4}-.*Z\\)$`),
      }),
    );
  });

  it('runs beside another one on another home', () => {
    const homes = [temporaryFolder(), temporaryFolder()];
    for (const [i, home] of homes.entries())
      openInstance({ home }).publish({ ...FACTS, taskQueuePrefix: `medic-${i}` });
    expect(homes.map((home) => readInstance({ home }).taskQueuePrefix)).toEqual(['medic-0', 'medic-1']);
  });

  it('gives its home free when it closes', () => {
    const home = temporaryFolder();
    openInstance({ home }).close();
    expect(() => readInstance({ home })).toThrow(expect.objectContaining({ code: 'MEDIC_INSTANCE_NOT_RUNNING' }));
    openInstance({ home });
  });

  it('that was killed does not keep its home, and its facts are not taken for those of the next one', () => {
    const home = temporaryFolder();
    const dead = spawnSync('true').pid;
    writeFileSync(join(home, 'lock'), JSON.stringify({ pid: dead, startTime: '5', since: 'then' }));
    writeFileSync(join(home, 'instance.json'), JSON.stringify({ ...FACTS, pid: dead }));
    openInstance({ home });
    expect(() => readInstance({ home })).toThrow(
      expect.objectContaining({
        code: 'MEDIC_INSTANCE_NOT_RUNNING',
        message: `the Medic on ${home} (pid ${process.pid}) has not come up yet`,
      }),
    );
  });

  it('says so if its home cannot be made', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => openInstance({ home: join(file, 'home') })).toThrow(
      expect.objectContaining({ code: 'MEDIC_HOME_UNWRITABLE', message: `cannot write in ${file}/home (ENOTDIR)` }),
    );
  });
});
