import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hostFindings } from '../../../../src/cli/doctor/hosts.js';
import type { FleetHost } from '../../../../src/config/subject.js';
import { withHome } from '../../evidence/home.js';

/** Stand-ins for the programs of a host, each as a shell script. */
const withPrograms = <T>(programs: Readonly<Record<string, string>>, work: (path: string) => Promise<T>) =>
  withHome(async (home) => {
    for (const [name, body] of Object.entries(programs)) {
      writeFileSync(join(home, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(home, name), 0o755);
    }
    return work(`${home}:/usr/bin:/bin`);
  });

const HOST: FleetHost = { name: 'kv-1', address: '10.0.1.4', transport: 'local', services: ['tikv-20160'] };

const SYSTEMD = {
  cat: 'echo systemd',
  id: 'echo medic',
  systemctl: '[ "$6" = tikv-20160 ] && echo active || echo inactive',
  journalctl: 'exit 0',
};

const look = (host: Partial<FleetHost>, path: string) =>
  hostFindings(
    {
      name: 'prod',
      type: 'tikv',
      environment: 'production',
      autonomy: 'observe',
      pd: { endpoints: ['http://127.0.0.1:1'] },
      hosts: [{ ...HOST, ...host }],
    },
    { path, env: {} },
  );

describe('doctor on a host', () => {
  it('says as whom it looks, what manages services, and what it may read', () =>
    withPrograms(SYSTEMD, async (path) => {
      expect(await look({}, path)).toEqual([
        {
          check: 'prod host kv-1',
          state: 'ok',
          seen: 'as medic, service manager systemd, tikv-20160 active, journal readable',
        },
      ]);
    }));

  it.each([
    [SYSTEMD, ['tikv-20161'], 'fix', 'is tikv-20161 the name of a unit there?'],
    [{ ...SYSTEMD, journalctl: 'exit 1' }, ['tikv-20160'], 'fix', 'add the user to systemd-journal'],
    [{ ...SYSTEMD, cat: 'echo tini' }, ['tikv-20160'], 'fix', 'units can be read of systemd only'],
  ])('says what to fix: %#', (programs, services, state, seen) =>
    withPrograms(programs, async (path) => {
      expect(await look({ services }, path)).toMatchObject([{ state, seen: expect.stringContaining(seen) }]);
    }),
  );

  it('asks nothing without a transport, and says what ssh says of one that is away', () =>
    withPrograms({ ssh: 'echo "ssh: no route to kv-1" >&2; exit 255' }, async (path) => {
      expect(await look({ transport: 'none' }, path)).toMatchObject([
        { state: 'ok', seen: 'not asked: transport none' },
      ]);
      expect(await look({ transport: 'ssh' }, path)).toMatchObject([
        { state: 'unreachable', seen: 'ssh: no route to kv-1' },
      ]);
    }));
});
