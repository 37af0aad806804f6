import type { Client } from '@temporalio/client';
import { between, type Instant, subjectOf, type TicketId } from '../../domain/ids.js';
import { CLOSED_PHASES, OPEN_PHASES, type Phase } from '../../domain/phases.js';
import type { TrailEvent } from '../../domain/trail.js';
import type { Metrics, TicketCounts } from '../../telemetry/metrics.js';

/** Turns the story of tickets into metrics. Told live only, so a replay counts nothing twice. */
export function countStory(metrics: Metrics): (ticket: TicketId, event: TrailEvent) => void {
  const began = new Map<TicketId, Instant>();
  return (ticket, event) => {
    const subject = subjectOf(ticket);
    const took = (what: 'detect' | 'repair' | 'prove') => {
      const start = began.get(ticket);
      if (start) metrics.took({ subject, what, ms: between(start, event.at) });
    };
    if (event.type === 'filed') {
      const [first] = event.violations.map((v) => v.since).sort();
      if (first) began.set(ticket, first);
      took('detect');
    }
    if (event.type === 'moved') metrics.ticketMoved({ subject, to: event.to });
    if (event.type === 'acted') metrics.acted(event.outcome);
    if (event.type === 'acted' && event.outcome === 'ok') took('repair');
    if (event.type === 'proof' && event.result === 'healthy') took('prove');
    if (event.type === 'closed') began.delete(ticket);
  };
}

/** Tickets by phase, counted by the server when somebody scrapes. */
export const ticketCounts = (client: Client) => async (): Promise<TicketCounts> => {
  const phases: readonly Phase[] = [...OPEN_PHASES, ...CLOSED_PHASES];
  const counts = await Promise.all(
    phases.map(async (phase) => {
      const { count } = await client.workflow.count(`WorkflowType = "ticket" AND MedicPhase = "${phase}"`);
      return [phase, count] as const;
    }),
  );
  return Object.fromEntries(counts);
};
