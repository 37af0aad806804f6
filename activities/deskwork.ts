import type { WaitsConfig } from '../src/config/waits.js';
import { instant, subjectOf, ticketWorkflowId } from '../src/domain/ids.js';
import type { Admission, Ticket } from '../src/domain/ticket.js';
import type { Archive } from '../src/evidence/archive.js';
import type { DeskworkActivities, TicketNotice } from '../workflows/activity-contract.js';
import type { DeskPort } from '../workflows/contract.js';
import { type Rooms, roomOf } from './room.js';
import { currentEvent, currentRun, journalKey } from './run-id.js';
import { storing } from './storing.js';

export interface DeskworkDeps {
  readonly rooms: Rooms;
  readonly desk: DeskPort;
  readonly archive: Archive;
  /** The present configuration, read anew for each ticket. */
  readonly admission: (subject: string) => Promise<Omit<Admission, 'causes'>>;
  /** How long people are waited for, by the present configuration; recorded at the start of each ticket. */
  readonly waits: () => Promise<WaitsConfig>;
  /** The history so far as JSON text; `null` when it cannot be fetched. */
  readonly history: (workflowId: string, run: string) => Promise<string | null>;
  /** `event` is the same over all tries of one activity. */
  readonly tell: (notice: TicketNotice & { readonly event: string }) => Promise<void>;
  readonly now: () => number;
}

/** Configuration and bookkeeping: short, and harmless to repeat. */
export function createDeskwork(deps: DeskworkDeps): DeskworkActivities {
  const { rooms, desk, archive } = deps;
  return {
    async admit({ subject }) {
      const { subject: kind, times } = roomOf(rooms, subject);
      const causes = kind.causes.map((cause) => cause.class);
      return { ...(await deps.admission(subject)), causes, times: { ...times, ...(await deps.waits()) } };
    },
    async openTurn({ ticket }) {
      const open = await desk.openTickets(subjectOf(ticket));
      return { run: currentRun(), others: open.filter((other) => other.ticket !== ticket) };
    },
    async gate(request) {
      const run = currentRun();
      return desk.lease({ ...request, run, key: journalKey(run, request) });
    },
    async release({ ticket }) {
      await desk.release({ subject: subjectOf(ticket), run: currentRun() });
    },
    async archive({ ticket, report }) {
      return { path: await storing(archive.save(await toArchive(deps, ticket, report))) };
    },
    async notify(notice) {
      await deps.tell({ ...notice, event: currentEvent() });
    },
  };
}

async function toArchive({ history, now }: DeskworkDeps, ticket: Ticket, report: string) {
  return {
    ticket,
    closedAt: instant(now()),
    phase: ticket.phase,
    trail: ticket.trail.events,
    report,
    history: await history(ticketWorkflowId(ticket.id), currentRun()),
    run: currentRun(),
  };
}
