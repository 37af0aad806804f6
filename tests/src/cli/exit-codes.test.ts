import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EXIT, exitCodeOf } from '../../../src/cli/exit-codes.js';
import { ERRORS, type ErrorCode } from '../../../src/domain/errors.js';

describe('exit codes', () => {
  it('are those of the page, with the one of Ctrl-C', () => {
    const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([...Object.values(EXIT), 130]);
  });

  it('follow from the error: 2 usage, 4 nothing answers, 5 policy or an answer that does not count, else 1', () => {
    const withCode = (code: number) => (Object.keys(ERRORS) as ErrorCode[]).filter((e) => exitCodeOf(e) === code);
    expect(withCode(2)).toEqual(['MEDIC_USAGE']);
    expect(withCode(4)).toEqual([
      'MEDIC_INSTANCE_NOT_RUNNING',
      'MEDIC_TEMPORAL_UNREACHABLE',
      'MEDIC_WORKER_SILENT',
      'MEDIC_LAB_NOT_RUNNING',
      'MEDIC_PD_UNREADABLE',
    ]);
    const uncounted = ['UNSIGNED', 'UNKNOWN_PERSON', 'FORGED', 'NOT_ALLOWED', 'EXPIRED'].map(
      (c) => `MEDIC_DECIDE_${c}`,
    );
    const isDenied = (code: string) => code.startsWith('MEDIC_POLICY_') || uncounted.includes(code);
    expect(withCode(5)).toEqual(Object.keys(ERRORS).filter(isDenied));
    expect(exitCodeOf('MEDIC_TICKET_UNKNOWN')).toBe(1);
  });
});
