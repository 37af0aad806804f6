import type { Client } from '@temporalio/client';
import { type DeskInput, type DeskPort, deskId, MESSAGES, QUERIES, WORKFLOWS } from '../../workflows/contract.js';
import type { LeaseAnswer, LeaseRequest } from '../domain/desk.js';
import { type DeskState, openTickets, runsWithin } from '../domain/desk.js';
import { instant, subjectOf } from '../domain/ids.js';
import type { Report } from '../domain/violation.js';
import { inTurns } from './in-turns.js';

export interface DeskClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly recurrenceMs: number;
  /** First number for a new desk. */
  readonly firstNumber: (subject: string) => Promise<number>;
  readonly now: () => number;
}

/** The server takes ten updates in flight on one workflow, over all its clients. */
const UPDATES_IN_FLIGHT = 4;
/** Other tickets are nice to know: a turn waits no longer for them. */
const QUERY_MS = 3_000;

/** Talks to the desks through Temporal. A report starts its desk when there is none. */
export function createDeskClient({ client, taskQueue, recurrenceMs, firstNumber, now }: DeskClientOptions): DeskPort {
  const handle = (subject: string) => client.workflow.getHandle(deskId(subject));
  const turns = inTurns(UPDATES_IN_FLIGHT);

  return {
    async report(report: Report) {
      const input: DeskInput = {
        subject: report.subject,
        firstNumber: await firstNumber(report.subject),
        recurrenceMs,
      };
      await client.workflow.signalWithStart(WORKFLOWS.desk, {
        workflowId: deskId(report.subject),
        taskQueue,
        args: [input],
        signal: MESSAGES.report,
        signalArgs: [report],
        staticSummary: `dispatcher of ${report.subject}`,
      });
    },
    lease: (request: LeaseRequest) =>
      turns(() =>
        handle(subjectOf(request.ticket)).executeUpdate<LeaseAnswer, [LeaseRequest]>(MESSAGES.lease, {
          args: [request],
        }),
      ),
    async release({ subject, run }) {
      await handle(subject).signal(MESSAGES.release, { run });
    },
    async recentRuns(of) {
      const desk = await handle(of.subject).query<DeskState>(QUERIES.desk);
      return runsWithin(desk.acts, of, instant(now()));
    },
    async openTickets(subject) {
      try {
        const ask = () => handle(subject).query<DeskState>(QUERIES.desk);
        const desk = await client.withDeadline(Date.now() + QUERY_MS, ask);
        return openTickets(desk).map(({ id, target }) => ({ ticket: id, target }));
      } catch {
        return [];
      }
    },
  };
}
