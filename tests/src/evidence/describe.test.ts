import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evidenceId } from '../../../src/domain/ids.js';
import { describeEvidence, type Observation } from '../../../src/evidence/describe.js';
import { createFileStore } from '../../../src/evidence/file-store.js';
import { withHome } from './home.js';

const SHELL: Observation = {
  id: evidenceId(2),
  at: '2026-01-02T03:04:05.000Z',
  host: 'lab',
  call: { kind: 'shell', host: 'lab', command: 'labctl inspect tikv-2' },
  exit: 0,
  durationMs: 41,
  body: 'tikv-2 exited (137) 4 s ago\nrequested: no\n',
};
const HTTP: Observation = {
  ...SHELL,
  host: 'pd',
  call: { kind: 'http', api: 'pd', method: 'GET', path: '/pd/api/v1/stores' },
  exit: 503,
  body: '"no leader"\n',
};

const describeIt = (seen: Observation, known: readonly string[] = []) =>
  withHome(async (home) => {
    const store = createFileStore({ home });
    const evidence = await describeEvidence(seen, { store, known });
    return { evidence, stored: await store.get(evidence.sha256) };
  });

describe('evidence from an observation', () => {
  it('carries who was asked what, a line about it, and the hash of the body in the store', async () => {
    const { evidence, stored } = await describeIt(SHELL);
    expect(stored).toBe(SHELL.body);
    expect(evidence).toEqual({
      ...{ id: 'e2', at: SHELL.at, host: 'lab', call: SHELL.call, exit: 0, durationMs: 41 },
      line: 'exit 0: tikv-2 exited (137) 4 s ago (+1 line)',
      ...{ head: SHELL.body, tail: '', bytes: 42, sha256: evidence.sha256, redactions: 0, tainted: true },
    });
  });

  it.each([
    ['an HTTP status', HTTP, 'HTTP 503: "no leader"'],
    ['silence', { ...SHELL, body: '' }, 'exit 0: nothing was said'],
    [
      'no answer',
      { ...HTTP, exit: null, body: '', failure: 'connect ECONNREFUSED' },
      'no answer: connect ECONNREFUSED',
    ],
    [
      'a command that was cut short',
      { ...SHELL, exit: 124, failure: 'timed out' },
      'exit 124 (timed out): tikv-2 exited (137) 4 s ago (+1 line)',
    ],
    ['a picture', { ...SHELL, call: null, exit: null, body: '3 of 4 stores Up\nPD ok\n' }, '3 of 4 stores Up · PD ok'],
  ])('sums up %s in one line', async (_what, seen, line) => {
    expect((await describeIt(seen)).evidence.line).toBe(line);
  });

  it('keeps the count of lines when the first line is long', async () => {
    const { evidence } = await describeIt({ ...SHELL, body: `${'x'.repeat(500)}\ny\nz\n` });
    expect(evidence.line).toMatch(/^exit 0: x+… \(\+2 lines\)$/);
    expect(evidence.line).toHaveLength(200);
  });

  it('takes what the subject wrote for tainted, and a picture by our own clients not', async () => {
    expect((await describeIt(HTTP)).evidence.tainted).toBe(true);
    expect((await describeIt({ ...SHELL, call: null })).evidence.tainted).toBe(false);
  });

  it('redacts body, failure and call before anything is kept', async () => {
    const { evidence, stored } = await describeIt(
      {
        ...SHELL,
        call: { kind: 'shell', host: 'lab', command: 'mysql -pS3cret -e x' },
        body: 'password=hunter2\nvalue is correct-horse\n',
        failure: 'sent correct-horse',
      },
      ['correct-horse'],
    );
    expect(stored).toBe('password=[redacted]\nvalue is [redacted]\n');
    expect(JSON.stringify(evidence)).not.toMatch(/S3cret|hunter2|correct-horse/);
    expect(evidence).toMatchObject({
      redactions: 4,
      failure: 'sent [redacted]',
      call: { command: 'mysql -p[redacted] -e x' },
    });
  });

  it('redacts the path and body of an HTTP call', async () => {
    const call = {
      kind: 'http',
      api: 'pd',
      method: 'POST',
      path: '/login?token=a&password=b',
      body: '{"secret":"c"}',
    } as const;
    const { evidence } = await describeIt({ ...HTTP, call });
    expect(evidence.call).toEqual({
      ...call,
      path: '/login?token=a&password=[redacted]',
      body: '{"secret":"[redacted]"}',
    });
    expect(evidence.redactions).toBe(2);
  });

  it('takes the words of the subject for a good answer, redacted like all else, but not over a failure', async () => {
    const says = 'tikv-2 exited 137, died; seen with s3cr3t-of-medic';
    const { evidence } = await describeIt({ ...SHELL, says }, ['s3cr3t-of-medic']);
    expect(evidence.line).toBe('tikv-2 exited 137, died; seen with [redacted]');
    const cut = await describeIt({ ...SHELL, says, failure: 'cut after 256 KiB' });
    expect(cut.evidence.line).toBe('exit 0 (cut after 256 KiB): tikv-2 exited (137) 4 s ago (+1 line)');
  });

  it('escapes what could steer a terminal or reorder text, but keeps the body as it came', async () => {
    const body = '\u001b[2Jgone\u202e\r\n\tok\n';
    const { evidence, stored } = await describeIt({ ...SHELL, body });
    expect(stored).toBe(body);
    expect(evidence.head).toBe('\\u001b[2Jgone\\u202e\\u000d\n\tok\n');
    expect(evidence.line).toBe('exit 0: \\u001b[2Jgone\\u202e (+1 line)');
  });

  it('keeps the ends of a long body within 1 KiB', async () => {
    const { evidence } = await describeIt({ ...SHELL, body: `first ${'ü'.repeat(5000)} last` });
    expect(evidence.head).toMatch(/^first ü+$/);
    expect(evidence.tail).toMatch(/^ü+ last$/);
    expect(Buffer.byteLength(evidence.head + evidence.tail)).toBeGreaterThan(1000);
    expect(Buffer.byteLength(evidence.head + evidence.tail)).toBeLessThanOrEqual(1024);
  });

  it('stays within its bounds for any body', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const body = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3000 }),
        fc.string({ unit: 'grapheme', maxLength: 3000 }),
      );
      const check = fc.asyncProperty(body, async (text) => {
        const { line, head, tail } = await describeEvidence({ ...SHELL, body: text }, { store, known: [] });
        expect([...line].length).toBeLessThanOrEqual(200);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(1024);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(head + tail).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      });
      await fc.assert(check, { numRuns: 150 });
    }));
});
