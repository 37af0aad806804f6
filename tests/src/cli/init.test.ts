import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { loadMedic } from '../../../src/config/medic.js';
import { writeMedic } from '../../../src/config/write-medic.js';
import { refusingServer } from '../../support/http-server.js';
import { startRecordedPd } from '../../support/recorded-pd.js';
import { withFile } from '../config/written.js';
import { withHome } from '../evidence/home.js';
import { paper } from './paper.js';

const TOPOLOGY = `global:
  user: tidb
  ssh_port: 22
  deploy_dir: /data/tidb-deploy
  enable_tls: true
server_configs:
  tikv: { raftstore.apply-pool-size: 4 }
pd_servers:
  - host: 10.0.1.4
  - host: 10.0.1.5
    client_port: 2389
tidb_servers:
  - host: 10.0.1.7
tikv_servers:
  - host: 10.0.1.4
    status_port: 20180
  - host: kv-9.example.com
    port: 20260
    config: { server.labels: { zone: z1 } }
monitoring_servers:
  - host: 10.0.1.8
`;

async function init(...argv: string[]) {
  const { screen, out, err } = paper();
  const code = await runCommandLine(['init', ...argv], screen);
  return { code, out: out(), err: err() };
}

describe('medic init', () => {
  it('makes of a TiUP topology a file that loads, observes, and names hosts with their units', () =>
    withHome(async (folder) => {
      const topology = join(folder, 'topology.yaml');
      writeFileSync(topology, TOPOLOGY);
      const path = join(folder, 'medic.yaml');
      expect(await init('--tiup', topology, '--subject', 'prod', '--out', path)).toEqual({
        code: 0,
        out: [path],
        err: ['prod: 2 PD endpoints, 3 hosts, autonomy observe', 'next: ./medic doctor · ./medic up'],
      });
      const { subjects, notify } = await loadMedic(path);
      expect(notify).toEqual([]);
      expect(subjects).toMatchObject([
        {
          name: 'prod',
          environment: 'production',
          autonomy: 'observe',
          pd: {
            endpoints: ['https://10.0.1.4:2379', 'https://10.0.1.5:2389'],
            tls: { ca: { file: '/etc/medic/ca.pem' }, key: { file: '/etc/medic/medic.key' } },
          },
          hosts: [
            { name: 'h-10-0-1-4', address: '10.0.1.4', transport: 'none', services: ['pd-2379', 'tikv-20160'] },
            { name: 'h-10-0-1-5', address: '10.0.1.5', services: ['pd-2389'] },
            { name: 'h-kv-9-example-com', address: 'kv-9.example.com', services: ['tikv-20260'] },
          ],
        },
      ]);
    }));

  it('asks a PD for its members and stores', () =>
    withHome(async (folder) => {
      const pd = await startRecordedPd();
      const path = join(folder, 'medic.yaml');
      const { code } = await init('--pd', pd.members[0]!.clientUrl, '--out', path);
      await pd.close();
      expect(code).toBe(0);
      const [subject] = (await loadMedic(path)).subjects;
      expect([...subject!.pd.endpoints].sort()).toEqual(pd.members.map(({ clientUrl }) => clientUrl).sort());
      expect(subject!.hosts.map(({ address }) => address)).toEqual(['127.0.0.1', 'tikv0', 'tikv1', 'tikv2', 'tikv3']);
      expect(subject!.hosts[1]?.services).toEqual(['tikv-20160']);
      expect(readFileSync(path, 'utf8')).toContain('Made from the PD of cluster 7713933192204896888');
    }));

  it('touches no file that is there', () =>
    withFile('topology.yaml', TOPOLOGY, async (topology) => {
      const before = readFileSync(topology, 'utf8');
      const { code, err } = await init('--tiup', topology, '--out', topology);
      expect([code, err[0]]).toEqual([1, `MEDIC_INIT_EXISTS  ${topology} is there already`]);
      expect(readFileSync(topology, 'utf8')).toBe(before);
    }));

  it('refuses a topology with a mistake with its line, a PD that cannot be read with 4, and both or neither with 2', async () => {
    await withFile('topology.yaml', TOPOLOGY.replace('client_port: 2389', 'client_port: x'), async (topology) => {
      const { code, err } = await init('--tiup', topology, '--out', `${topology}.out`);
      expect([code, err[0]]).toEqual([
        1,
        `MEDIC_CONFIG_INVALID  ${topology}:11:18  \`pd_servers[1].client_port\` must be a number, not \`x\`.`,
      ]);
    });
    const { origin } = await refusingServer();
    expect(await init('--pd', origin, '--out', 'nowhere.yaml')).toMatchObject({
      code: 4,
      err: [expect.stringMatching(/^MEDIC_PD_UNREADABLE .*connection refused/), expect.any(String)],
    });
    expect((await init()).code).toBe(2);
    expect((await init('--pd', 'x', '--tiup', 'y')).code).toBe(2);
    expect(await init('--pd', 'not-an-address')).toMatchObject({
      code: 2,
      err: [
        'MEDIC_USAGE  pd.endpoints.[0] must be an address like `https://10.0.1.4:2379`'.replace('.[', '['),
        expect.any(String),
      ],
    });
  });

  it('writes what the loader takes, whatever the addresses are', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.domain(), { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(fc.domain(), fc.ipV4()), { maxLength: 4 }),
        fc.boolean(),
        async (endpoints, addresses, isTls) => {
          const text = writeMedic({
            name: 'prod',
            from: 'a test',
            endpoints: endpoints.map((host) => `${isTls ? 'https' : 'http'}://${host}:2379`),
            ...(isTls ? { tls: { ca: '/x/ca.pem', cert: null, key: null } } : {}),
            hosts: [...new Set(addresses)].map((address) => ({ address, services: ['tikv-20160'] })),
          });
          const { subjects } = await withFile('medic.yaml', text, loadMedic);
          expect(subjects[0]?.pd.endpoints).toEqual(
            endpoints.map((host) => new URL(`${isTls ? 'https' : 'http'}://${host}:2379`).origin),
          );
          expect(subjects[0]?.hosts.map(({ address }) => address)).toEqual([...new Set(addresses)]);
        },
      ),
      { numRuns: 30 },
    ));
});
