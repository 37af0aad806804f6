import { describe, expect, it } from '@jest/globals';
import { loadMedic } from '../../../src/config/medic.js';
import { readSecret } from '../../../src/config/secret-source.js';
import { NOBODY } from '../../../src/policy/authority.js';
import { refusalOf, withFile } from './written.js';

const TEXT = `version: 1
notify:
  - name: hook
    type: webhook
    url: https://hooks.example.com/medic
    secret: { env: MEDIC_HOOK }
    on: [escalated, closed]
  - name: chat
    type: slack
    address: { file: slack.txt }
  - name: pager
    type: pagerduty
    routingKey: { env: PAGER }
`;
const refused = (text: string) => refusalOf('medic.yaml', text, loadMedic);

describe('medic.yaml', () => {
  it('names who is to be told, and of what: everything, unless it wakes people', () =>
    withFile('medic.yaml', TEXT, async (path) => {
      const { notify } = await loadMedic(path);
      expect(notify.map(({ name, on }) => [name, on])).toEqual([
        ['hook', ['escalated', 'closed']],
        ['chat', ['filed', 'needs-you', 'reminder', 'escalated', 'taken', 'closed', 'budget']],
        ['pager', ['needs-you', 'escalated', 'taken', 'closed', 'budget']],
      ]);
      expect(notify[2]).toMatchObject({ url: 'https://events.pagerduty.com/v2/enqueue' });
    }));

  it('may be absent: then nobody is told and nobody is known', async () => {
    const nothing = { notify: [], authority: NOBODY, waits: { escalation: [] }, subjects: [] };
    expect(await loadMedic(null)).toEqual(nothing);
    expect(await loadMedic('nowhere/medic.yaml')).toEqual(nothing);
  });

  it('says how long people are waited for, and who is told in which order when nobody answers', async () => {
    const waits = [
      'waits:',
      '  expireAfter: 2h',
      '  escalation:',
      '    - { after: 1h, tell: [hook, pager] }',
      '    - { after: 15m, tell: [pager] }',
    ].join('\n');
    await withFile('medic.yaml', `${TEXT}${waits}\n`, async (path) => {
      expect((await loadMedic(path)).waits).toEqual({
        expireMs: 7_200_000,
        escalation: [
          { afterMs: 900_000, tell: ['pager'] },
          { afterMs: 3_600_000, tell: ['hook', 'pager'] },
        ],
      });
    });
  });

  it.each([
    [
      TEXT.replace('env: MEDIC_HOOK', 'env: A, file: b'),
      'MEDIC_CONFIG_INVALID',
      'medic.yaml:6:13  `notify[0].secret` must name either `env` or `file`.',
    ],
    [
      TEXT.replace('https:', 'ftp:'),
      'MEDIC_CONFIG_INVALID',
      'medic.yaml:5:10  `notify[0].url` must be an address like `https://hooks.example.com/medic`, not `ftp://hooks.example.com/medic`.',
    ],
    [
      TEXT.replace('name: chat', 'name: hook'),
      'MEDIC_CONFIG_INVALID',
      'medic.yaml:8:11  `notify[1].name` is the name of another one, not `hook`.',
    ],
    [
      TEXT.replace('routingKey', 'routing_key'),
      'MEDIC_CONFIG_UNKNOWN_KEY',
      'medic.yaml:13:5  `routing_key` is not a setting of a PagerDuty service. Did you mean `routingKey`?',
    ],
    [
      `${TEXT}waits:\n  expireAfter: 30\n`,
      'MEDIC_CONFIG_INVALID',
      'medic.yaml:15:16  `waits.expireAfter` must be a duration like `30s` or `1h`, not `30`.',
    ],
    [
      `${TEXT}waits:\n  escalation:\n    - { after: 1m, tell: [boss] }\n`,
      'MEDIC_CONFIG_INVALID',
      'medic.yaml:16:27  `waits.escalation[0].tell[0]` must be the name of an entry of `notify`, not `boss`.',
    ],
  ])('is refused with the place of what is wrong: %#', async (text, code, line) => {
    expect(await refused(text)).toEqual({ code, lines: [line] });
  });
});

describe('a secret', () => {
  it('comes from the variable or the file that is named, without white space around it', async () => {
    expect(await readSecret({ env: 'A' }, { A: ' s3 \n' })).toBe('s3');
    await withFile('key', 's4\n', async (file) => expect(await readSecret({ file }, {})).toBe('s4'));
  });

  it.each([
    [{ env: 'A' }, {}, 'the variable A'],
    [{ env: 'A' }, { A: '' }, 'the variable A'],
    [{ file: 'nowhere/key' }, {}, 'the file nowhere/key'],
  ])('that is not there is named by its place: %j', async (source, environment, place) => {
    await expect(readSecret(source, environment)).rejects.toMatchObject({
      code: 'MEDIC_SECRET_MISSING',
      message: place,
    });
  });
});

describe('the intake of medic.yaml', () => {
  const of = (intake: string) => withFile('medic.yaml', `version: 1\nintake: ${intake}\n`, loadMedic);

  it('listens on loopback unless it says where', async () => {
    expect((await of('{ token: { env: T } }')).intake).toEqual({
      listen: { host: '127.0.0.1', port: 9465 },
      token: { env: 'T' },
    });
    expect((await of('{ listen: "[::1]:80", token: { file: t } }')).intake?.listen).toEqual({ host: '::1', port: 80 });
  });

  it.each([
    [
      '{ listen: 9465, token: { env: T } }',
      'medic.yaml:2:19  `intake.listen` must be an address and a port like `127.0.0.1:9465`, not `9465`.',
    ],
    [
      '{ listen: "x:70000", token: { env: T } }',
      'medic.yaml:2:19  `intake.listen` must be an address and a port like `127.0.0.1:9465`, not `x:70000`.',
    ],
    ['{ listen: "x:1" }', 'medic.yaml:2:9  `intake.token` is missing.'],
    ['{ token: s3cret }', 'medic.yaml:2:18  `intake.token` must be a mapping.'],
  ])('is refused with the place of what is wrong: %s', async (intake, line) => {
    expect((await refused(`version: 1\nintake: ${intake}\n`)).lines).toEqual([line]);
  });
});
