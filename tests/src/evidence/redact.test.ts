import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MASK, MIN_SECRET_LENGTH, redact } from '../../../src/evidence/redact.js';

const KEY_BLOCK = (kind: string) =>
  [
    `-----BEGIN ${kind} KEY-----`,
    'MIIBVgIBADANBgkqhkiG9w0BAQEFAASCAUAwggE8',
    'AgEAAkEAq7BFUpkGp3',
    `-----END ${kind} KEY-----`,
  ].join('\n');
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJvbi1jYWxsIn0', 'c2lnbmF0dXJlLW9mLWl0'].join('.');
// Put together here, so that no scanner takes the test itself for a leak.
const key = (prefix: string, length: number) => prefix + 'a1B2c3D4e5'.repeat(Math.ceil(length / 10)).slice(0, length);

/** [what it is, text, the same text as it must come out] */
const FORMS: readonly (readonly [string, string, string])[] = [
  ['basic authorization', 'authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted]'],
  ['bearer authorization', "curl -H 'Authorization: Bearer abc' x", "curl -H 'Authorization: Bearer [redacted]' x"],
  ['authorization in JSON', '{"Authorization":"token abcdef"}', '{"Authorization":"token [redacted]"}'],
  ['authorization without scheme', 'Authorization: 0123456789abcdef0', 'Authorization: [redacted]'],
  ['a bearer token in prose', `sent bearer ${key('', 24)} to it`, 'sent bearer [redacted] to it'],
  ['a JSON web token', `t ${JWT} end`, 't [redacted] end'],
  ['a quoted password', 'password = "a b\\"c"', 'password = "[redacted]"'],
  ['a password in single quotes', "password: 'it is, long'", "password: '[redacted]'"],
  ['a bare password', 'user=root password=hunter2 host=db', 'user=root password=[redacted] host=db'],
  ['a password in JSON', '{"password":"hunter2","port":4000}', '{"password":"[redacted]","port":4000}'],
  ['a password in JSON in JSON', '"{\\"password\\":\\"hunter2\\"}"', '"{\\"password\\":\\"[redacted]\\"}"'],
  ['a password of one character', 'passwd=x', 'passwd=[redacted]'],
  ['a password in the environment', 'DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted]'],
  ['a passphrase', 'passphrase: open', 'passphrase: [redacted]'],
  ['a MySQL password variable', 'MYSQL_PWD=hunter2 mysql', 'MYSQL_PWD=[redacted] mysql'],
  ['a secret by name in TOML', 'secret-access-key = "abc/def+1"', 'secret-access-key = "[redacted]"'],
  ['an AWS secret by name', 'aws_secret_access_key=abc/def+1', 'aws_secret_access_key=[redacted]'],
  ['an API key header', 'X-Api-Key: abc', 'X-Api-Key: [redacted]'],
  ['a client secret', 'client_secret=abc&grant=1', 'client_secret=[redacted]&grant=1'],
  ['a named token', 'GITHUB_TOKEN=abc', 'GITHUB_TOKEN=[redacted]'],
  ['a plain token that looks like one', `token=${key('', 24)}`, 'token=[redacted]'],
  ['a password option', 'tool --db-password hunter2 -v', 'tool --db-password [redacted] -v'],
  ['a password option with =', 'tool --password=hunter2 -v', 'tool --password=[redacted] -v'],
  ['mysql -p', 'mysql -h127.0.0.1 -P4000 -uroot -pS3c -e x', 'mysql -h127.0.0.1 -P4000 -uroot -p[redacted] -e x'],
  ['mysql -p in quotes', `mysqldump -u root -p'a b' test`, 'mysqldump -u root -p[redacted] test'],
  ['mysql -p in a nested shell', `sh -c '/usr/bin/mysql -pS3c'`, `sh -c '/usr/bin/mysql -p[redacted]'`],
  ['curl -u', 'curl -s -u root:hunter2 http://pd:2379', 'curl -s -u root:[redacted] http://pd:2379'],
  ['curl with joined options', 'curl -sSu root:hunter2 x', 'curl -sSu root:[redacted] x'],
  ['etcdctl --user', 'etcdctl --user root:hunter2 get a', 'etcdctl --user root:[redacted] get a'],
  ['redis-cli -a', 'redis-cli -h r1 -a hunter2 ping', 'redis-cli -h r1 -a [redacted] ping'],
  ['sshpass', 'sshpass -p hunter2 ssh h', 'sshpass -p [redacted] ssh h'],
  ['an Anthropic key', `k ${key('sk-ant-api03-', 40)} e`, 'k [redacted] e'],
  ['a GitHub token', `k ${key('ghp_', 36)} e`, 'k [redacted] e'],
  ['a GitHub fine-grained token', `k ${key('github_pat_', 40)} e`, 'k [redacted] e'],
  ['a Slack token', `k ${key('xoxb-', 30)} e`, 'k [redacted] e'],
  ['a Slack webhook', `https://hooks.slack.com/${'services'}/T0/B0/abc`, 'https://hooks.slack.com/services/[redacted]'],
  ['a URL with a password', 'postgres://u:p@ss@h:5432/d', 'postgres://u:[redacted]@h:5432/d'],
  ['a URL with only a password', 'redis://:hunter2@r1:6379', 'redis://:[redacted]@r1:6379'],
  ['a Go MySQL address', 'dsn root:hunter2@tcp(127.0.0.1:4000)/t', 'dsn root:[redacted]@tcp(127.0.0.1:4000)/t'],
  ['a private key', `a\n${KEY_BLOCK('RSA PRIVATE')}\nb`, 'a\n[redacted]\nb'],
  ['a private key cut off at its end', `a\n${KEY_BLOCK('PRIVATE').slice(0, 60)}`, 'a\n[redacted]'],
  ['a private key cut off at its beginning', `${KEY_BLOCK('EC PRIVATE').slice(40)}\nb`, '[redacted]\nb'],
];

const HARMLESS = [
  '10.0.1.20:20160 region 4294967',
  'pd-ctl -u http://pd-0:2379 store 4',
  'tiup ctl:v8.5.0 pd -u http://10.0.1.10:2379 member',
  'start_key=7480000000000000FF4500000000000000F8 end_key=7480000000000000FF47',
  '"start_key": "748000000000000045", "epoch": {"conf_ver": 5, "version": 33}',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'cluster_id=7420193847561029384 member_id=13237820392834092834',
  'd2b1a7c0-9a3e-4c1b-8f5e-2f9c4d1e7a6b',
  '"initial-cluster-token": "pd-cluster"',
  '[token=Token(14)] [err="deadline has elapsed"]',
  'tikv_grpc_msg_duration_seconds_bucket{type="kv_get",le="0.001"} 17',
  'tidb_tikvclient_request_seconds{store="4",type="Get"} 0.25',
  'OLDPWD=/opt/tikv PWD=/opt',
  'password=$DB_PASSWORD',
  'password: "$PASSWORD"',
  '{"password":null,"secret":{"name":"x"},"token":""}',
  'mysql -p -u root',
  'mysql --protocol tcp --port 4000',
  'http://10.0.1.1:2379,http://10.0.1.2:2379',
  'mail dba@example.org about tikv-2:20160',
  'authorization failed for store 4',
  'the bearer of bad news',
  'kubectl get secret -n tidb',
];

describe('redaction by form', () => {
  it.each(FORMS)('masks %s and nothing around it', (_name, text, expected) => {
    const { text: masked, redactions } = redact(text, { known: [] });
    expect(masked).toBe(expected);
    expect(redactions).toBeGreaterThan(0);
  });

  it.each(HARMLESS)('leaves alone: %s', (text) => {
    expect(redact(text, { known: [] })).toEqual({ text, redactions: 0 });
  });

  it('leaves alone everything that a real PD was recorded to say', () => {
    const folder = new URL('../../fixtures/pd-recordings', import.meta.url).pathname;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      expect({ file: file.name, redactions: redact(text, { known: [] }).redactions }).toEqual({
        file: file.name,
        redactions: 0,
      });
    }
  });

  it('counts each place that it masked', () => {
    expect(redact('password=a1 and password=b2', { known: [] }).redactions).toBe(2);
  });
});

describe('redaction by value', () => {
  const known = ['s3cr3t/value "1"'];

  it('masks a known value as it is, in base64, URL-encoded and JSON-escaped', () => {
    const text = [
      's3cr3t/value "1"',
      Buffer.from('s3cr3t/value "1"').toString('base64').replace(/=+$/, ''),
      's3cr3t%2Fvalue%20%221%22',
      's3cr3t/value \\"1\\"',
    ].join(' | ');
    expect(redact(text, { known })).toEqual({ text: [MASK, MASK, MASK, MASK].join(' | '), redactions: 4 });
  });

  it('masks the longer of two known values that begin alike as a whole', () => {
    expect(redact('x hunter2hunter2-long', { known: ['hunter2hunter2', 'hunter2hunter2-long'] }).text).toBe(
      `x ${MASK}`,
    );
  });

  it('does not mask known values that are too short to be told from words', () => {
    expect(redact('region 42 is ok', { known: ['ok', '42', ''] })).toEqual({ text: 'region 42 is ok', redactions: 0 });
  });
});

/** Texts as they come from the field, with fragments that rules react to, glued together at random. */
const fragments = fc.constantFrom(
  ...[
    'password=',
    'Authorization: Bearer ',
    'mysql -uroot -p',
    'curl -u a:',
    'http://u:',
    '@h/',
    '"',
    "'",
    '\\"',
    ' ',
    '\n',
  ],
  ...[
    '[',
    ']',
    MASK,
    'redacted',
    '--token ',
    'token: ',
    'secret',
    '=',
    ': ',
    'eyJabcdefgh1',
    '.abc',
    'sk-ant-',
    'ghp_',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'AAAA\n',
    'redis-cli -a ',
    '@tcp(',
    '10.0.1.20:20160',
  ],
);
const messy = fc.array(fc.oneof(fragments, fc.string({ maxLength: 12 }), fc.stringMatching(/^[\w./-]{1,40}$/)), {
  maxLength: 24,
});
const aSecret = fc.oneof(
  fc.string({ minLength: MIN_SECRET_LENGTH, maxLength: 40, unit: 'binary' }),
  fc.stringMatching(/^[\w+/=.-]{8,40}$/),
  fc.array(fragments, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('')),
);
const isMaskable = (secret: string) => secret.length >= MIN_SECRET_LENGTH && !MASK.includes(secret);

describe('redaction of any text', () => {
  it('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(messy, fc.array(aSecret.filter(isMaskable), { maxLength: 3 }), (parts, known) => {
        const once = redact(parts.concat(known).join(''), { known }).text;
        expect(redact(once, { known })).toEqual({ text: once, redactions: 0 });
      }),
      { numRuns: 2000 },
    );
  });

  it('never lets a known secret through', () => {
    fc.assert(
      fc.property(messy, messy, aSecret.filter(isMaskable), (before, after, secret) => {
        const { text, redactions } = redact([...before, secret, ...after].join(''), { known: [secret] });
        expect(text.includes(secret)).toBe(false);
        expect(redactions).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('changes nothing in text made of addresses, ids, hexadecimal keys and hashes', () => {
    const hex = fc.stringMatching(/^[0-9A-Fa-f]{16,64}$/);
    const address = fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 65535 })).map(([ip, port]) => `${ip}:${port}`);
    const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
    const word = fc.constantFrom(
      'region',
      'store',
      'start_key=',
      'leader:',
      'tikv-2',
      '{',
      '}',
      '[',
      ']',
      '"',
      'exit 137',
    );
    const facts = fc.array(fc.oneof(hex, address, id, word, fc.uuid()), { maxLength: 40 });
    fc.assert(
      fc.property(facts, (parts) => {
        const text = parts.join(' ');
        expect(redact(text, { known: [] })).toEqual({ text, redactions: 0 });
      }),
    );
  });

  it('takes time in proportion to the text, whatever it is made of', () => {
    for (const piece of [
      'a',
      'password ',
      '-',
      'eyJ',
      'http://',
      'mysql ',
      'A=\n',
      '-----BEGIN PRIVATE KEY----- ',
      'authorization:',
      ':',
    ]) {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      const startedMs = performance.now();
      redact(text, { known: ['not in there at all'] });
      expect({ piece, slow: performance.now() - startedMs > 5_000 }).toEqual({ piece, slow: false });
    }
  });
});
