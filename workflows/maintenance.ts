import { ApplicationFailure, condition } from '@temporalio/workflow';
import { correlate, type Dispatch } from '../src/domain/correlation.js';
import { type DeskState, maintenanceOf } from '../src/domain/desk.js';
import type { Instant } from '../src/domain/ids.js';
import {
  closeWindow,
  faultOfMaintenance,
  holdBack,
  type MaintenanceRequest,
  type MaintenanceWindow,
  nextEndMs,
  openWindow,
  windowsOver,
} from '../src/domain/maintenance.js';
import type { Report, Violation } from '../src/domain/violation.js';
import { looking } from './activity-options.js';
import { orFailure } from './ticket/or-failure.js';

/** The desk as windows see it. */
export interface Books {
  readonly subject: string;
  readonly get: () => DeskState;
  readonly update: (change: (desk: DeskState) => DeskState) => void;
  readonly now: () => Instant;
}

/** Validator of update `maintain`. */
export function refuseMisshapen({ get }: Books, request: MaintenanceRequest): void {
  const fault = faultOfMaintenance(request, maintenanceOf(get()));
  if (fault) throw refusal('MEDIC_MAINTENANCE_SHAPE', fault);
}

/** Opens a window. A target that the subject does not have is refused; while it cannot tell them, it is believed. */
export async function maintain(books: Books, request: MaintenanceRequest): Promise<MaintenanceWindow> {
  const { target } = request;
  if (target !== null) await refuseUnknown(books, target);
  const opened = openWindow(maintenanceOf(books.get()), request, books.now());
  books.update((desk) => ({ ...desk, maintenance: opened.book }));
  return opened.window;
}

async function refuseUnknown({ subject, get }: Books, target: string): Promise<void> {
  const told = await orFailure(
    looking.targets.executeWithOptions({ summary: `is ${target} a target of ${subject}?` }, [{ subject }]),
  );
  const members = typeof told === 'string' ? [] : told;
  const violated = get().tickets.flatMap(({ active }) => active.map((violation) => violation.target));
  if (members.length === 0 || [...members, ...violated].includes(target)) return;
  throw refusal('MEDIC_MAINTENANCE_TARGET', `${subject} has no ${target}; it has ${members.join(', ')}`);
}

/** Update `endMaintenance`. */
export interface WindowEnd {
  readonly id: string;
  readonly by: string;
}

/** Validator of update `endMaintenance`. */
export function refuseNoWindow({ get }: Books, { id }: WindowEnd): void {
  if (maintenanceOf(get()).open.some((window) => window.id === id)) return;
  throw refusal('MEDIC_MAINTENANCE_UNKNOWN', `no window ${id} is open`);
}

/** Ends a window now; what is left of it is filed by the main loop. @returns its time as it was */
export function endWindow({ get, update, now }: Books, { id, by }: WindowEnd): MaintenanceWindow {
  const book = maintenanceOf(get());
  const open = book.open.map((window) => (window.id === id ? { ...window, until: now(), endedBy: by } : window));
  update((desk) => ({ ...desk, maintenance: { ...book, open } }));
  const ended = open.find((window) => window.id === id);
  if (!ended) throw refusal('MEDIC_MAINTENANCE_UNKNOWN', `no window ${id} is open`);
  return ended;
}

/** What of a report the desk has to see; the rest is written down in its windows. */
export function withoutHeld({ get, update }: Books, report: Report): Report {
  const desk = get();
  const known = new Set(desk.tickets.flatMap(({ active }) => active.map(({ fingerprint }) => fingerprint)));
  const held = holdBack(maintenanceOf(desk), report, known);
  if (held.book !== maintenanceOf(desk)) update((now) => ({ ...now, maintenance: held.book }));
  return held.report;
}

/**
 * Closes the windows whose time is over.
 *
 * @returns what is still violated and in no other window, as work for the desk; `null`: nothing
 */
export function closeOver(books: Books): Dispatch | null {
  const at = books.now();
  const over = windowsOver(maintenanceOf(books.get()), at);
  if (over.length === 0) return null;
  const left: Violation[] = [];
  for (const { id, endedBy } of over) {
    const closed = closeWindow(maintenanceOf(books.get()), id, { now: at, by: endedBy });
    books.update((desk) => ({ ...desk, maintenance: closed.book }));
    left.push(...closed.left);
  }
  const active = [...new Map(left.map((violation) => [violation.fingerprint, violation])).values()];
  const report = { subject: books.subject, seq: 0, watch: 'maintenance', at, active, suspect: [], judged: [] };
  return correlate(books.get().tickets, withoutHeld(books, report));
}

/** Waits for `woken`, at most until the next window ends. Without a window it is a plain wait, as it always was. */
export async function waitOrWindowEnd({ get, now }: Books, woken: () => boolean): Promise<void> {
  const leftMs = nextEndMs(maintenanceOf(get()), now());
  const changed = maintenanceOf(get()).open;
  const isDifferent = () => maintenanceOf(get()).open.length !== changed.length || isEnded(get(), now());
  const isWoken = () => woken() || isDifferent();
  if (leftMs === null) await condition(isWoken);
  else if (leftMs > 0) await condition(isWoken, leftMs, { summary: 'until a maintenance window ends' });
}

const isEnded = (desk: DeskState, now: Instant): boolean => windowsOver(maintenanceOf(desk), now).length > 0;

const refusal = (type: string, message: string) => ApplicationFailure.create({ type, message, nonRetryable: true });
