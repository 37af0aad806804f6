import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultOf } from '../../chaos/faults.js';
import { openChaosJournal } from '../../chaos/journal.js';
import { injectFault } from '../../chaos/run.js';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { seconds } from '../domain/story.js';
import { createArchive } from '../evidence/archive.js';
import { bringUp, type Running } from '../runtime/bring-up.js';
import { installSignalHandlers } from '../runtime/process/signals.js';
import { createTicketBook } from '../runtime/ticket-book.js';
import { wishOf } from './chaos.js';
import { tellChildEvent } from './child-events.js';
import { firstTicket, quietGate } from './demo-gates.js';
import { type DemoSummary, summarise } from './demo-summary.js';
import { EXIT } from './exit-codes.js';
import { bold, green, red, type Screen } from './screen.js';
import { follow } from './trail.js';
import { VERSION } from './version.js';

export interface DemoOptions {
  readonly home: string;
  readonly fault: string;
  readonly target?: string;
  readonly reasoner: 'rules';
  readonly summary?: string;
  readonly profile: ProfileName;
  readonly stores: number;
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly metricsPort?: number;
}

/**
 * `medic demo`: a fresh lab, one fault, and Medic's whole way with it, live. On a terminal it stays up to explore;
 * without one it ends, with 0 only if the ticket was resolved, proven, and the injector agrees.
 */
export async function demo(options: DemoOptions, screen: Screen): Promise<number> {
  const line = (tag: string, text: string, ms?: number) =>
    screen.out(`${tag.padEnd(9)} ${text}${ms === undefined ? '' : `   ${seconds(ms)}`}`);
  screen.out(bold(`medic ${VERSION} · home ${options.home} · profile ${options.profile} · reasoner rules (offline)`));
  let running: Running | null = null;
  const stopHandling = installSignalHandlers({
    onSignal: async () => {
      screen.err('ending everything');
      await running?.stop();
    },
  });
  const began = performance.now();
  try {
    running = await bringUp({
      home: options.home,
      stage: 'demo',
      profile: options.profile,
      stores: options.stores,
      reasoner: { kind: options.reasoner },
      ports: { temporal: options.temporalPort, ui: options.uiPort, metrics: options.metricsPort },
      report: (event) => line('process', tellChildEvent(event)),
    });
    const { pd, stores } = running.lab.topology();
    line(
      'up',
      `temporal ${running.address} (ui ${running.uiUrl}) · lab ${pd.length} PD ${stores.length} stores (stand-in) · worker`,
      performance.now() - began,
    );
    const summary = await runFault(options, { running, screen, line });
    tellEnd(summary, { running, line });
    if (options.summary) writeFileSync(options.summary, `${JSON.stringify(summary, null, 2)}\n`);
    if (screen.isTty) {
      screen.out(
        `${'next'.padEnd(9)} ./medic chaos inject ${options.fault} · ./medic tickets --all · Ctrl-C ends everything`,
      );
      await new Promise<never>(() => {});
    }
    return isWin(summary) ? EXIT.ok : EXIT.notRemediated;
  } finally {
    stopHandling();
    await running?.stop();
  }
}

const isWin = ({ phase, proof, faultTruth }: DemoSummary): boolean =>
  phase === 'resolved' && proof === 'healthy' && faultTruth === 'gone';

interface Stage {
  readonly running: Running;
  readonly screen: Screen;
  readonly line: (tag: string, text: string, ms?: number) => void;
}

const QUIET_WITHIN_MS = 60_000;
const TICKET_WITHIN_MS = 60_000;

async function runFault(options: DemoOptions, { running, screen, line }: Stage): Promise<DemoSummary> {
  const quiet = await quietGate(running.client, QUIET_WITHIN_MS);
  line('quiet', `nothing is violated: ${quiet.samples}`, quiet.tookMs);
  const journal = openChaosJournal(join(running.home, 'chaos'));
  const { injection, confirmation } = await injectFault({
    fault: options.fault,
    labDir: running.labDir,
    target: wishOf(options),
    journal,
  });
  const confirmedAt = new Date().toISOString();
  line('fault', `${injection.fault} ${injection.target}: ${confirmation.seen}`);
  const book = createTicketBook({ client: running.client, archive: createArchive({ home: running.home }) });
  const ticket = await firstTicket(running.client, TICKET_WITHIN_MS);
  const phase = await follow(book, ticket, screen, { until: (at) => at === 'escalated', start: confirmedAt });
  await archiveWritten(running, ticket, phase);
  return summarise({
    fault: injection.fault,
    ticket,
    phase,
    confirmedAt,
    events: await book.trail(ticket),
    status: await book.status(ticket),
    faultTruth: await faultOf(injection).truth(injection),
    profile: options.profile,
  });
}

/** The last step of a ticket writes its archive; the links below point there. */
async function archiveWritten({ client }: Running, ticket: TicketId, phase: string): Promise<void> {
  if (phase === 'escalated') return;
  await client.workflow.getHandle(ticketWorkflowId(ticket)).result();
}

function tellEnd(summary: DemoSummary, { running, line }: Omit<Stage, 'screen'>): void {
  const ms = (value: number | null) => (value === null ? 'never' : seconds(value));
  const verdict = isWin(summary) ? green(summary.phase) : red(summary.phase);
  line(
    summary.ticket,
    `${verdict} · detected ${ms(summary.detectMs)} · repaired ${ms(summary.repairMs)} · proven ${ms(summary.provenMs)} · ${summary.looks} looks · ${summary.acts} act · proof ${summary.proof} · fault ${summary.faultTruth}`,
  );
  line('report', join(running.home, 'tickets', `${summary.ticket.replace('/', '-')}.md`));
  line(
    'workflow',
    `${running.uiUrl}/namespaces/default/workflows/${encodeURIComponent(ticketWorkflowId(summary.ticket))}`,
  );
  line('metrics', running.metricsUrl);
}
