import type { Logger } from 'pino';
import type { Rooms } from '../../../activities/room.js';
import type { DeskPort } from '../../../workflows/contract.js';
import type { IntakeConfig } from '../../config/intake.js';
import { readSecret } from '../../config/secret-source.js';
import type { AlertReport } from '../../domain/alert.js';
import { instant } from '../../domain/ids.js';
import type { Listening } from '../../telemetry/listen.js';
import { startIntake } from '../intake/server.js';

export interface OpenIntakeOptions {
  readonly intake: IntakeConfig | null;
  readonly rooms: Rooms;
  readonly desk: Pick<DeskPort, 'report'>;
  readonly log: Logger;
  readonly now: () => number;
}

/** The intake of the settings; `null`: there is none. Throws `MEDIC_PORT_TAKEN`. */
export async function openIntake({ intake, rooms, desk, log, now }: OpenIntakeOptions): Promise<Listening | null> {
  if (!intake) return null;
  const server = await startIntake({
    ...intake.listen,
    token: () => readSecret(intake.token, process.env),
    nodes: new Map([...rooms].map(([name, { nodeAt }]) => [name, nodeAt ?? (() => null)])),
    report: (alerts) => desk.report(reportOf(alerts, now())),
    log: (message, fields) => log.warn(fields, message),
  });
  log.info({ listen: `${intake.listen.host}:${server.port}` }, 'alerts are taken');
  return server;
}

/** As the desk takes it from a source beside the patrol. */
export const reportOf = ({ subject, active, cleared }: AlertReport, now: number) => ({
  subject,
  watch: 'alertmanager',
  seq: 0,
  at: instant(now),
  active,
  suspect: [],
  judged: [],
  cleared,
});
