import { describe, expect, it } from '@jest/globals';
import { createLog, type LogLevel, logLevel } from '../../../src/telemetry/logging.js';

/** Collects what a log writes, as a pipe or as a terminal. */
function record(kind: 'pipe' | 'terminal', options: { level?: LogLevel; known?: string[] } = {}) {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), isTTY: kind === 'terminal' };
  return {
    written,
    log: createLog({ name: 'worker', level: options.level ?? 'info', known: options.known ?? [], stream }),
  };
}

describe('a log into a pipe', () => {
  it('is one JSON object a line, with ISO time, level, process and fields', () => {
    const { log, written } = record('pipe');
    log.child({ ticket: 'tikv/1' }).warn({ attempt: 2 }, 'looked again');
    expect(written).toHaveLength(1);
    const { time, pid, ...rest } = JSON.parse(written[0]!);
    expect(written[0]!.endsWith('}\n')).toBe(true);
    expect(new Date(time).toISOString()).toBe(time);
    expect(pid).toBe(process.pid);
    expect(rest).toEqual({ level: 'warn', name: 'worker', ticket: 'tikv/1', attempt: 2, msg: 'looked again' });
  });

  it('leaves out what is below its level', () => {
    const { log, written } = record('pipe', { level: 'warn' });
    log.info('chatter');
    log.error('trouble');
    expect(written.map((line) => JSON.parse(line).msg)).toEqual(['trouble']);
  });

  it('masks secrets by name, by form and by value, at any depth, and stays JSON', () => {
    const { log, written } = record('pipe', { known: ['correct-horse'] });
    log.info(
      { db: { password: 'it"s\\' }, args: ['mysql -pS3cret'], err: new Error('said correct-horse') },
      'url redis://:pw@h:1',
    );
    const { db, args, err, msg } = JSON.parse(written[0]!);
    expect({ db, args, msg }).toEqual({
      db: { password: '[redacted]' },
      args: ['mysql -p[redacted]'],
      msg: 'url redis://:[redacted]@h:1',
    });
    expect(err.message).toBe('said [redacted]');
    expect(written[0]).not.toMatch(/correct-horse|S3cret/);
  });

  it('keeps fields that only look like secrets by their name', () => {
    const { log, written } = record('pipe');
    log.info({ journalKey: '7f3a.1.1.1', tokens: 400 }, 'acted');
    expect(JSON.parse(written[0]!)).toMatchObject({ journalKey: '7f3a.1.1.1', tokens: 400 });
  });
});

describe('a log on a terminal', () => {
  it('is a line for people', () => {
    const { log, written } = record('terminal');
    log.warn({ ticket: 'tikv/1', attempt: 2 }, 'looked again');
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}worker {2}looked again {2}ticket=tikv\/1 {2}attempt=2\n$/,
    );
  });

  it('shows the stack of an error below the line', () => {
    const { log, written } = record('terminal');
    log.error(new Error('no leader'));
    expect(written[0]).toMatch(/ERROR worker {2}no leader\n {2}Error: no leader\n {6}at /);
  });

  it('lets no text steer the terminal', () => {
    const { log, written } = record('terminal');
    log.info('\u001b[2Jgone');
    expect(written[0]).toContain('\\u001b[2Jgone');
  });
});

describe('the level', () => {
  it('is what MEDIC_LOG says, else info', () => {
    expect([logLevel({}), logLevel({ MEDIC_LOG: '' }), logLevel({ MEDIC_LOG: 'debug' })]).toEqual([
      'info',
      'info',
      'debug',
    ]);
  });

  it('is refused when there is no such level', () => {
    expect(() => logLevel({ MEDIC_LOG: 'loud' })).toThrow(
      '`MEDIC_LOG` must be one of `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`, not `loud`.',
    );
  });
});
