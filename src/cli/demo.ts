import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultNamed, faultOf } from '../../chaos/faults.js';
import { openChaosJournal } from '../../chaos/journal.js';
import type { RightEnd } from '../../chaos/protocol.js';
import { injectFault } from '../../chaos/run.js';
import { PROFILES, type ProfileName } from '../../subjects/tikv/profiles.js';
import { ticketWorkflowId } from '../domain/ids.js';
import { isClosed } from '../domain/phases.js';
import { seconds } from '../domain/story.js';
import { createArchive } from '../evidence/archive.js';
import { bringUp, type Running } from '../runtime/bring-up.js';
import { createTicketBook, type TicketBook } from '../runtime/ticket-book.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { wishOf } from './chaos.js';
import { tellChildEvent } from './child-events.js';
import { checkDemo } from './demo-checks.js';
import { firstTicket, quietGate } from './demo-gates.js';
import { type DemoEnd, type Say, sayEnd, sayHeading, sayOn } from './demo-lines.js';
import { isWin, summarise, summariseQuiet } from './demo-summary.js';
import { type Followed, followTickets } from './demo-tickets.js';
import { endOnSignals } from './end-on-signals.js';
import { EXIT } from './exit-codes.js';
import { checkReasoner, reasonerWords } from './reasoner.js';
import type { Screen } from './screen.js';

export interface DemoOptions {
  readonly home: string;
  readonly fault: string;
  readonly target?: string;
  readonly reasoner: WorkerSettings['reasoner'];
  readonly summary?: string;
  readonly profile: ProfileName;
  readonly stores: number;
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly metricsPort?: number;
}

/**
 * `medic demo`: a fresh lab, one fault, and Medic's whole way with it, live. On a terminal it stays up to explore;
 * without one it ends, with 0 only if the end is the right one for this fault and the injector agrees.
 */
export async function demo(options: DemoOptions, screen: Screen): Promise<number> {
  checkDemo(options);
  await checkReasoner(options.reasoner, process.env);
  sayHeading({ ...options, reasoner: reasonerWords(options.reasoner, process.env) }, screen);
  let running: Running | null = null;
  const signals = endOnSignals(screen, () => running?.stop() ?? null);
  try {
    running = await start(options, sayOn(screen));
    const end = await runFault(options, running, screen);
    sayEnd({ ...end, running, home: options.home }, screen);
    if (options.summary) writeFileSync(options.summary, `${JSON.stringify(end.summary, null, 2)}\n`);
    if (screen.isTty) await new Promise<never>(() => {});
    return isWin(end.summary) ? EXIT.ok : EXIT.notRemediated;
  } finally {
    signals.ignore();
    await running?.stop();
  }
}

async function start(options: DemoOptions, say: Say): Promise<Running> {
  const began = performance.now();
  const running = await bringUp({
    home: options.home,
    stage: 'demo',
    profile: options.profile,
    stores: options.stores,
    regions: faultNamed(options.fault).wants,
    reasoner: options.reasoner,
    ports: { temporal: options.temporalPort, ui: options.uiPort, metrics: options.metricsPort },
    report: (event) => say('process', tellChildEvent(event)),
  });
  const { pd, stores } = running.lab.topology();
  say(
    'up',
    `temporal ${running.address} · ui ${running.uiUrl} · lab ${pd.length} PD ${stores.length} stores (stand-in) · worker`,
    seconds(performance.now() - began),
  );
  return running;
}

const QUIET_WITHIN_MS = 60_000;
const TICKET_WITHIN_MS = 60_000;

async function runFault(
  options: DemoOptions,
  running: Running,
  screen: Screen,
): Promise<Pick<DemoEnd, 'summary' | 'brief'>> {
  const say = sayOn(screen);
  const quiet = await quietGate(running.client, QUIET_WITHIN_MS);
  say('quiet', `nothing is violated, ${quiet.judged} invariants judged`, seconds(quiet.tookMs));
  const { injection, confirmation } = await injectFault({
    fault: options.fault,
    labDir: running.labDir,
    target: wishOf(options),
    journal: openChaosJournal(join(running.home, 'chaos')),
  });
  const confirmedAt = new Date().toISOString();
  say('fault', `${injection.fault} ${injection.target}: ${confirmation.seen}`, 't+0.0');
  const { profile } = options;
  const fault = { fault: injection.fault, rightEnd: faultOf(injection).rightEnd };
  const truth = () => faultOf(injection).truth(injection);
  const first = await firstTicket(running.client, ticketWithinMs(fault.rightEnd, profile));
  if (!first) return { summary: summariseQuiet({ ...fault, profile, faultTruth: await truth() }), brief: null };
  const book = createTicketBook({ client: running.client, archive: createArchive({ home: running.home }) });
  const followed = await followTickets(first, { client: running.client, book, screen, start: confirmedAt });
  await archiveWritten(running, book, followed);
  const { ticket, phase } = followed;
  const status = await book.status(ticket);
  const events = await book.trail(ticket);
  const summary = summarise({
    ...{ ...fault, ticket, phase, confirmedAt, events, status, profile },
    faultTruth: await truth(),
  });
  return { summary, brief: phase === 'escalated' ? status.brief : null };
}

/** Where no ticket may be right, so many samples without one are enough: 20 s in `fast`. */
const QUIET_SAMPLES = 20;

const ticketWithinMs = ({ kind }: RightEnd, profile: ProfileName): number =>
  kind === 'no-ticket' || kind === 'self-cleared' ? QUIET_SAMPLES * PROFILES[profile].watch.sampleMs : TICKET_WITHIN_MS;

const ARCHIVED_WITHIN_MS = 10_000;
const POLL_MS = 50;

/** The lines below point into the archive. A ticket that ends writes it last; one that is handed over, while it waits. */
async function archiveWritten({ client }: Running, book: TicketBook, { ticket, phase }: Followed): Promise<void> {
  if (isClosed(phase)) await client.workflow.getHandle(ticketWorkflowId(ticket)).result();
  const deadline = performance.now() + ARCHIVED_WITHIN_MS;
  while (phase === 'escalated' && !(await book.archived(ticket)) && performance.now() < deadline)
    await new Promise((later) => setTimeout(later, POLL_MS));
}
