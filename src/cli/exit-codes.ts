import type { ErrorCode } from '../domain/errors.js';

/** Exit codes of every verb; `docs/cli.md` lists them. A signal ends with 128 and its number: 130 for Ctrl-C. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  findings: 3,
  connection: 4,
  denied: 5,
  notRemediated: 6,
  /** A person is waited for. */
  pending: 8,
} as const;

const BY_CODE: Partial<Record<ErrorCode, number>> = {
  MEDIC_USAGE: EXIT.usage,
  MEDIC_INSTANCE_NOT_RUNNING: EXIT.connection,
  MEDIC_TEMPORAL_UNREACHABLE: EXIT.connection,
  MEDIC_WORKER_SILENT: EXIT.connection,
  MEDIC_PD_UNREADABLE: EXIT.connection,
  MEDIC_LAB_NOT_RUNNING: EXIT.connection,
  MEDIC_DECIDE_UNSIGNED: EXIT.denied,
  MEDIC_DECIDE_UNKNOWN_PERSON: EXIT.denied,
  MEDIC_DECIDE_FORGED: EXIT.denied,
  MEDIC_DECIDE_NOT_ALLOWED: EXIT.denied,
  MEDIC_DECIDE_EXPIRED: EXIT.denied,
};

/** The exit code for an error that a person meets. */
export const exitCodeOf = (code: ErrorCode): number =>
  BY_CODE[code] ?? (code.startsWith('MEDIC_POLICY_') ? EXIT.denied : EXIT.failure);
