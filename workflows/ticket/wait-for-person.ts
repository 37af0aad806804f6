import { condition } from '@temporalio/workflow';
import { between, type Instant } from '../../src/domain/ids.js';
import type { NoticeKind } from '../../src/domain/notification.js';
import { later, type Moment, momentsAhead } from '../../src/domain/waits.js';
import { deskwork } from '../activity-options.js';
import type { TicketRun } from './run.js';

export interface PersonAwaited {
  /** `an answer to #2`, for timers and screens. */
  readonly what: string;
  /** `null`: as long as it takes. */
  readonly expiresAt: Instant | null;
  readonly woken: () => boolean;
  /** Whether it is waited on although it was woken. Default: it is not. */
  readonly goesOn?: () => Promise<boolean>;
  readonly remind: () => Promise<void>;
  /** How those of the escalation chain are told. */
  readonly telling: { readonly kind: NoticeKind; readonly text: string };
}

/** Waits until it is woken or expires, with reminders, and with the escalation chain that was recorded at its start. */
export async function waitForPerson(run: TicketRun, awaited: PersonAwaited): Promise<void> {
  try {
    await waitThrough(run, awaited);
  } finally {
    run.ahead = [];
  }
}

async function waitThrough(run: TicketRun, awaited: PersonAwaited): Promise<void> {
  const { what, expiresAt, woken, goesOn = async () => false, remind, telling } = awaited;
  const since = run.now();
  const nextReminder = () => later(run.now(), run.times.remindMs);
  let chain = run.times.escalation ?? [];
  let remindAt = nextReminder();
  for (;;) {
    if (woken()) {
      if (await goesOn()) continue;
      return;
    }
    run.ahead = momentsAhead({ since, remindAt, expiresAt, chain });
    const [next] = run.ahead;
    if (!next || isOver(next, run.now())) return;
    const waitMs = Math.max(1, between(run.now(), next.at));
    const woke = await condition(woken, waitMs, { summary: `awaiting ${what}` });
    // An answer and the expiry may be there at once, after a time without workers: it is weighed like any other.
    if (woke || woken()) continue;
    if (expiresAt && between(run.now(), expiresAt) <= 0) return;
    if (next.what === 'tell') {
      chain = chain.slice(1);
      await tell(run, next.who, { what, ...telling });
    } else {
      await remind();
      remindAt = nextReminder();
    }
  }
}

const isOver = ({ what, at }: Moment, now: Instant): boolean => what === 'expire' && between(now, at) <= 0;

async function tell(
  run: TicketRun,
  who: readonly string[],
  { what, kind, text }: PersonAwaited['telling'] & { readonly what: string },
): Promise<void> {
  run.happen({ type: 'told', who, waitingFor: what });
  await deskwork.notify.executeWithOptions({ summary: `nobody answered: tell ${who.join(', ')}` }, [
    { ticket: run.ticket.id, kind, text: `nobody answered yet: ${text}`, severity: run.ticket.severity, to: who },
  ]);
}
