import { deskId, MESSAGES } from '../../workflows/contract.js';
import { parseDuration } from '../config/duration.js';
import { maintenanceOf } from '../domain/desk.js';
import { MedicError } from '../domain/errors.js';
import type { MaintenanceRequest, MaintenanceWindow } from '../domain/maintenance.js';
import { violationName } from '../domain/violation.js';
import { type NamedDesk, readDesks } from '../runtime/desk-states.js';
import { age } from './age.js';
import { EXIT } from './exit-codes.js';
import { asMedicError, asUnknownSubject } from './messages.js';
import { printJson, type Screen } from './screen.js';
import { type LiveSession, withLiveSession } from './session.js';
import { speaker } from './speaker.js';
import { printTable } from './table.js';
import { typedCommand } from './typed-command.js';

interface Common {
  readonly home: string;
  readonly subject: string;
  readonly by?: string;
}

export interface MaintenanceOptions extends Common {
  readonly target?: string;
  readonly all?: boolean;
  readonly for?: string;
  readonly reason?: string;
}

/** `medic maintenance --target T|--all --for 2h --reason TEXT` */
export async function beginMaintenance(options: MaintenanceOptions, screen: Screen): Promise<number> {
  const request = toRequest(options);
  return withLiveSession(options.home, async (session) => {
    const window = await tellDesk<MaintenanceRequest>(session, options, { name: MESSAGES.maintain, message: request });
    screen.out(`${options.subject} ${window.id} of ${onWhat(window)} until ${window.until}`);
    screen.err('What is violated there until then is recorded, not filed, and nothing acts on it. Earlier:');
    screen.err(`  ${typedCommand(`maintenance end ${window.id}`, options.home)}`);
    return EXIT.ok;
  });
}

/** @throws MedicError `MEDIC_USAGE` */
function toRequest({ target, all, for: time, reason, by }: MaintenanceOptions): MaintenanceRequest {
  const usage = (words: string) => new MedicError('MEDIC_USAGE', words, 'See `./medic maintenance --help`.');
  if ((target === undefined) === (all !== true)) throw usage('maintenance needs either --target or --all');
  if (time === undefined) throw usage('maintenance needs --for: how long, like `30m` or `2h`');
  const forMs = parseDuration(time);
  if (forMs === null) throw usage(`--for must be a duration like \`30m\` or \`2h\`, not \`${time}\``);
  if (!reason) throw usage('maintenance needs --reason, which is recorded');
  return { target: target ?? null, forMs, by: speaker(by), reason };
}

/** `medic maintenance end ID` */
export const endMaintenance = (id: string, options: Common, screen: Screen): Promise<number> =>
  withLiveSession(options.home, async (session) => {
    const message = { id, by: speaker(options.by) };
    const window = await tellDesk(session, options, { name: MESSAGES.endMaintenance, message });
    const left = window.recorded.filter(({ isActive }) => isActive).length;
    screen.out(
      `${options.subject} ${id} is over; ${left === 0 ? 'nothing is left to be filed' : `${left} still violated, to be filed`}`,
    );
    return EXIT.ok;
  });

const tellDesk = <T>(
  { client }: LiveSession,
  { subject }: Common,
  { name, message }: { readonly name: string; readonly message: T },
): Promise<MaintenanceWindow> =>
  client.workflow
    .getHandle(deskId(subject))
    .executeUpdate<MaintenanceWindow, [T]>(name, { args: [message] })
    .catch((error: unknown) => Promise.reject(asUnknownSubject(asMedicError(error), subject)));

/** `medic maintenance list`: the windows that are open, then those that are over, with what they recorded. */
export const listMaintenance = (
  { home, json }: { readonly home: string; readonly json?: boolean },
  screen: Screen,
): Promise<number> =>
  withLiveSession(home, async ({ client }) => {
    const desks = await readDesks(client);
    if (json)
      printJson(
        screen,
        'maintenance',
        desks.map(({ subject, desk }) => ({ subject, ...maintenanceOf(desk) })),
      );
    else printWindows(desks, { screen, now: Date.now() });
    return EXIT.ok;
  });

/** The table of `medic maintenance list` at a time in ms, and below it what was recorded. */
export function printWindows(
  desks: readonly NamedDesk[],
  { screen, now }: { readonly screen: Screen; readonly now: number },
): void {
  const windows = desks.flatMap(({ subject, desk }) => {
    const { open, past } = maintenanceOf(desk);
    return [...open, ...[...past].reverse()].map((window) => ({ subject, window, isOpen: open.includes(window) }));
  });
  if (windows.length === 0) return screen.err('no maintenance window, and none was lately');
  printTable(screen, {
    heads: ['WINDOW', 'SUBJECT', 'TARGET', 'STATE', 'BY', 'REASON', 'RECORDED'],
    rows: windows.map(({ subject, window, isOpen }) => [
      window.id,
      subject,
      window.target ?? 'all',
      isOpen ? `${age(Date.parse(window.until) - now)} left` : `over ${age(now - Date.parse(window.until))} ago`,
      window.by,
      window.reason,
      recordedWords(window),
    ]),
    cut: ['REASON'],
  });
}

const recordedWords = ({ recorded }: MaintenanceWindow): string =>
  recorded.map(({ violation, isActive }) => `${violationName(violation)}${isActive ? '' : ' (over)'}`).join(', ') ||
  '-';

/** One line for each freeze and each open window: why less is filed or done than one would expect. */
export function deskRemarks(desks: readonly NamedDesk[], home: string): string[] {
  return desks.flatMap(({ subject, desk }) => [
    ...(desk.frozen ? [`${subject} is frozen by ${desk.frozen.by}: ${desk.frozen.reason}`] : []),
    ...maintenanceOf(desk).open.map(
      (window) =>
        `${subject} maintenance ${window.id} of ${onWhat(window)} until ${window.until}: ${window.recorded.length} recorded, not filed (${typedCommand('maintenance list', home)})`,
    ),
  ]);
}

const onWhat = ({ target }: MaintenanceWindow): string => target ?? 'all';
