import { describe, expect, it } from '@jest/globals';
import { loadMedic } from '../../../src/config/medic.js';
import { refusalOf, withFile } from './written.js';

const TEXT = `version: 1
subjects:
  - name: prod-east
    type: tikv
    environment: production
    autonomy: ask
    pd:
      endpoints: [https://10.0.1.4:2379, https://10.0.1.5:2379/]
      tls:
        ca: { file: /etc/medic/ca.pem }
        cert: { file: /etc/medic/medic.pem }
        key: { env: MEDIC_PD_KEY }
        serverName: pd.prod.example.com
      token: { env: MEDIC_PD_TOKEN }
    hosts:
      - name: kv-1
        address: 10.0.1.4
        transport: ssh
        services: [tikv-20160, pd-2379]
  - { name: staging, type: tikv, environment: staging, pd: { endpoints: [http://10.9.0.4:2379] } }
`;
const refused = (text: string) => refusalOf('medic.yaml', text, loadMedic);

describe('subjects of medic.yaml', () => {
  it('are clusters with their PD, its TLS and their hosts, each only observed unless it says more', () =>
    withFile('medic.yaml', TEXT, async (path) => {
      const [east, staging] = (await loadMedic(path)).subjects;
      expect(east).toEqual({
        name: 'prod-east',
        type: 'tikv',
        environment: 'production',
        autonomy: 'ask',
        pd: {
          endpoints: ['https://10.0.1.4:2379', 'https://10.0.1.5:2379'],
          tls: {
            ca: { file: '/etc/medic/ca.pem' },
            cert: { file: '/etc/medic/medic.pem' },
            key: { env: 'MEDIC_PD_KEY' },
            serverName: 'pd.prod.example.com',
          },
          token: { env: 'MEDIC_PD_TOKEN' },
        },
        hosts: [{ name: 'kv-1', address: '10.0.1.4', transport: 'ssh', services: ['tikv-20160', 'pd-2379'] }],
      });
      expect(staging).toMatchObject({ name: 'staging', autonomy: 'observe', hosts: [] });
    }));

  it('may be absent: then it is the lab of the home', () =>
    withFile('medic.yaml', 'version: 1\n', async (path) => expect((await loadMedic(path)).subjects).toEqual([])));

  it.each([
    [
      'autonomy: ask',
      'autonmy: ask',
      'medic.yaml:6:5  `autonmy` is not a setting of a subject. Did you mean `autonomy`?',
    ],
    [
      'autonomy: ask',
      'autonomy: full',
      'medic.yaml:6:15  `subjects[0].autonomy` must be one of `observe`, `ask`, `playbooks`, not `full`.',
    ],
    [
      'autonomy: ask',
      'autonomy: playbooks',
      'medic.yaml:6:15  `subjects[0].autonomy` needs a `policy` that says what may run without a person, not `playbooks`.',
    ],
    [
      'environment: production',
      'environment: lab',
      'medic.yaml:5:18  `subjects[0].environment` is kept for labs that Medic made itself, not `lab`.',
    ],
    [
      'https://10.0.1.4:2379, ',
      'http://10.0.1.4:2379, ',
      'medic.yaml:8:19  `subjects[0].pd.endpoints[0]` must begin with `https:` because `tls` is given, not `http://10.0.1.4:2379`.',
    ],
    [
      'https://10.0.1.4:2379, ',
      'https://ana:pw@10.0.1.4:2379, ',
      'medic.yaml:8:19  `subjects[0].pd.endpoints[0]` must be an address like `https://10.0.1.4:2379`, not `https://ana:pw@10.0.1.4:2379`.',
    ],
    [
      '        cert: { file: /etc/medic/medic.pem }\n',
      '',
      'medic.yaml:10:9  `subjects[0].pd.tls` needs `cert` and `key` together.',
    ],
    [
      'endpoints: [http://10.9.0.4:2379]',
      'endpoints: [http://10.9.0.4:2379], token: { env: T }',
      'medic.yaml:20:74  `subjects[1].pd.endpoints[0]` must begin with `https:`, or `token` would be sent in the clear, not `http://10.9.0.4:2379`.',
    ],
    [
      'name: staging',
      'name: prod-east',
      'medic.yaml:20:13  `subjects[1].name` is the name of another one, not `prod-east`.',
    ],
    [
      'transport: ssh',
      'transport: telnet',
      'medic.yaml:18:20  `subjects[0].hosts[0].transport` must be one of `none`, `local`, `ssh`, not `telnet`.',
    ],
    [
      'address: 10.0.1.4',
      'address: -oProxyCommand=x',
      'medic.yaml:17:18  `subjects[0].hosts[0].address` must be a host name or an IP address, not `-oProxyCommand=x`.',
    ],
    [
      'key: { env: MEDIC_PD_KEY }',
      'key: "-----BEGIN PRIVATE KEY-----"',
      'medic.yaml:12:14  `subjects[0].pd.tls.key` must be a mapping.',
    ],
  ])('are refused with the place of what is wrong: %s', async (right, wrong, line) => {
    expect((await refused(TEXT.replace(right, wrong))).lines).toEqual([line]);
  });
});
