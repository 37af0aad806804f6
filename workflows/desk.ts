import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  ParentClosePolicy,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import {
  correlate,
  type Dispatch,
  type OpenTicket,
  withoutViolations,
  withViolations,
} from '../src/domain/correlation.js';
import {
  closeTicket,
  type DeskState,
  emptyDesk,
  type Freeze,
  grantLease,
  isFlapping,
  type LeaseAnswer,
  type LeaseRequest,
  maintenanceOf,
  openTickets,
  outlineOf,
  pruneDesk,
  recurrenceOf,
  releaseLease,
  reopenTicket,
} from '../src/domain/desk.js';
import { type Instant, instant, type TicketId, ticketId, ticketWorkflowId } from '../src/domain/ids.js';
import type { MaintenanceRequest, MaintenanceWindow } from '../src/domain/maintenance.js';
import type { Filing } from '../src/domain/ticket.js';
import type { Report, Violation } from '../src/domain/violation.js';
import { deskwork } from './activity-options.js';
import {
  type DeskInput,
  MESSAGES,
  QUERIES,
  type Reopened,
  type Sighting,
  type TicketClosed,
  type TicketInput,
} from './contract.js';
import {
  type Books,
  closeOver,
  endWindow,
  maintain,
  refuseMisshapen,
  refuseNoWindow,
  type WindowEnd,
  waitOrWindowEnd,
  withoutHeld,
} from './maintenance.js';
import { signalWorkflow } from './signal-workflow.js';
import { ticketStart } from './ticket-start.js';

const report = defineSignal<[Report]>(MESSAGES.report);
const closed = defineSignal<[TicketClosed]>(MESSAGES.closed);
const reopened = defineSignal<[Reopened]>(MESSAGES.reopened);
const freeze = defineSignal<[Omit<Freeze, 'at'>]>(MESSAGES.freeze);
const unfreeze = defineSignal<[{ by: string }]>(MESSAGES.unfreeze);
const release = defineSignal<[{ run: string }]>(MESSAGES.release);
const lease = defineUpdate<LeaseAnswer, [LeaseRequest]>(MESSAGES.lease);
const maintainUpdate = defineUpdate<MaintenanceWindow, [MaintenanceRequest]>(MESSAGES.maintain);
const endMaintenance = defineUpdate<MaintenanceWindow, [WindowEnd]>(MESSAGES.endMaintenance);
const deskQuery = defineQuery<DeskState>(QUERIES.desk);

const now = (): Instant => instant(Date.now());

/**
 * The dispatcher of one subject. Single-threaded, so the only place that dedupes: it numbers tickets, starts them,
 * gives them what belongs to them, and grants the right to act. Reports are handled one after the other; a repeated
 * or late one of the same watch changes nothing, because each tells the whole truth.
 */
export async function desk(input: DeskInput): Promise<void> {
  let state = input.carried?.state ?? emptyDesk(input.firstNumber);
  const waiting: (Report | TicketClosed)[] = [];
  const update = (change: (desk: DeskState) => DeskState) => {
    state = change(state);
    setCurrentDetails(describeDesk(state));
  };

  setHandler(report, (message) => void waiting.push(message));
  setHandler(closed, (message) => void waiting.push(message));
  setHandler(reopened, (message) => update((desk) => reopenTicket(desk, message)));
  setHandler(freeze, ({ by, reason }) => update((desk) => ({ ...desk, frozen: { by, reason, at: now() } })));
  setHandler(unfreeze, () => update((desk) => ({ ...desk, frozen: null })));
  setHandler(release, ({ run }) => update((desk) => releaseLease(desk, run)));
  setHandler(lease, (request) => {
    const granted = grantLease(state, request, now());
    update(() => granted.desk);
    return granted.answer;
  });
  const books: Books = { subject: input.subject, get: () => state, update, now };
  setHandler(maintainUpdate, (request) => maintain(books, request), {
    validator: (request) => refuseMisshapen(books, request),
    description: 'A time in which what is violated is recorded, not filed, and nothing acts.',
  });
  setHandler(endMaintenance, (end) => endWindow(books, end), {
    validator: (end) => refuseNoWindow(books, end),
    description: 'End a maintenance window; what is still violated is filed.',
  });
  setHandler(deskQuery, () => state, { description: 'Open tickets, lease, freeze and recent acts of this subject.' });

  setCurrentDetails(describeDesk(state));
  while (!workflowInfo().continueAsNewSuggested || waiting.length > 0) {
    await waitOrWindowEnd(books, () => waiting.length > 0 || workflowInfo().continueAsNewSuggested);
    const left = closeOver(books);
    if (left) await carryOut({ input, books }, { dispatch: left, at: now() });
    for (const message of waiting.splice(0)) {
      if ('watch' in message) await handleReport({ input, books }, message);
      else update((desk) => closeTicket(desk, message));
    }
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof desk>({ ...input, carried: { v: 1, state } });
}

/** The desk as one report's handling sees it; leases may change it in between. */
interface Handling {
  readonly input: DeskInput;
  readonly books: Books;
}

async function handleReport(handling: Handling, message: Report): Promise<void> {
  const { books } = handling;
  if (isKnown(books, message)) return;
  const dispatch = correlate(books.get().tickets, withoutHeld(books, message));
  await carryOut(handling, { dispatch, at: message.at });
  books.update((desk) => pruneDesk(desk, now()));
}

async function carryOut(
  handling: Handling,
  { dispatch, at }: { readonly dispatch: Dispatch; readonly at: Instant },
): Promise<void> {
  const { update } = handling.books;
  for (const { ticket, violations } of dispatch.attach) {
    update((desk) => onTicket(desk, ticket, (open) => withViolations(open, violations)));
    await sight(handling, ticket, { at, added: violations, cleared: [] });
  }
  for (const { ticket, violations } of dispatch.clear) {
    update((desk) => onTicket(desk, ticket, (open) => withoutViolations(open, violations)));
    await sight(handling, ticket, { at, added: [], cleared: violations });
  }
  for (const { target, violations } of dispatch.open) await file(handling, target, violations);
}

/** A repeated or late report of the patrol; each is noted. What other sources tell has no order: each is taken as it comes. */
function isKnown({ get, update }: Books, message: Report): boolean {
  if (message.cleared !== undefined) return false;
  const last = get().lastReport;
  if (last?.watch === message.watch && message.seq <= last.seq) return true;
  update((desk) => ({ ...desk, lastReport: outlineOf(message) }));
  return false;
}

/**
 * A quiet ticket no longer hears. One that cannot be reached has ended: by itself, and its `closed` is on the way, or
 * somebody terminated it, which is a decision too.
 */
async function sight({ books }: Handling, ticket: TicketId, sighting: Sighting): Promise<void> {
  const { get, update } = books;
  if (!openTickets(get()).some((open) => open.id === ticket)) return;
  if (await signalWorkflow(ticketWorkflowId(ticket), MESSAGES.sighting, sighting)) return;
  const gone = { ticket, phase: 'gone', at: now(), fingerprints: [], target: null };
  update((desk) => closeTicket(desk, gone));
}

async function file({ input, books }: Handling, target: string | null, violations: readonly Violation[]) {
  const { get, update } = books;
  const desk = get();
  const at = now();
  const id = ticketId(input.subject, desk.nextNumber);
  const fingerprints = violations.map((v) => v.fingerprint);
  const filing: Filing = {
    id,
    subject: input.subject,
    at,
    violations,
    recurrenceOf: recurrenceOf(desk, fingerprints, { now: at, withinMs: input.recurrenceMs }),
    flapping: isFlapping(desk, target, at),
  };
  const open: OpenTicket = { id, openedAt: at, target, active: violations };
  update((now_) => ({
    ...now_,
    nextNumber: now_.nextNumber + 1,
    tickets: [...now_.tickets, open],
    filed: [...now_.filed, { target, at }],
  }));
  const { times, ...admission } = await deskwork.admit.executeWithOptions({ summary: `admit ${id}` }, [
    { subject: input.subject, ticket: id },
  ]);
  const ticket: TicketInput = { filing, admission, times };
  await startChild('ticket', {
    workflowId: ticketWorkflowId(id),
    args: [ticket],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    ...ticketStart(filing),
  });
}

const onTicket = (desk: DeskState, id: TicketId, change: (ticket: OpenTicket) => OpenTicket): DeskState => ({
  ...desk,
  tickets: desk.tickets.map((ticket) => (ticket.id === id ? change(ticket) : ticket)),
});

function describeDesk(desk: DeskState): string {
  const { frozen, lease: held, lastReport } = desk;
  return [
    frozen ? `**Frozen** by ${frozen.by}: ${frozen.reason}` : 'Open for repairs.',
    ...maintenanceOf(desk).open.map(
      ({ id, target, until, by, reason, recorded }) =>
        `**Maintenance** ${id} of ${target ?? 'all'} by ${by} until ${until}: ${reason} (${recorded.length} recorded)`,
    ),
    held ? `Acting lease: ${held.ticket} on ${held.target} until ${held.until}` : 'Nobody acts.',
    `Open tickets: ${
      openTickets(desk)
        .map((t) => t.id)
        .join(', ') || 'none'
    }`,
    `Last report: ${lastReport?.at ?? 'none yet'}`,
  ].join('\n\n');
}
