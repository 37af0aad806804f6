import type { Instant, TicketId } from './ids.js';
import type { Severity } from './violation.js';

/** The moments of a ticket that people are told of. */
export type NoticeKind = 'filed' | 'needs-you' | 'reminder' | 'escalated' | 'taken' | 'closed';

export const NOTIFICATION_KINDS = [
  'filed',
  'needs-you',
  'reminder',
  'escalated',
  'taken',
  'closed',
  'budget',
] as const satisfies readonly (NoticeKind | 'budget')[];

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** What is sent to people, in one form for every kind of receiver. */
export interface Notification {
  /** The same over every retry, so that a receiver that drops repeats sees it once. */
  readonly event: string;
  readonly kind: NotificationKind;
  readonly at: Instant;
  /** `null`: the budget, which belongs to no ticket. */
  readonly ticket: TicketId | null;
  readonly severity: Severity;
  /** One line. */
  readonly title: string;
  /** All that is known, as Markdown; a brief may have a page. */
  readonly text: string;
  /** A verb to type. */
  readonly next: string;
}

const WORDS: Readonly<Record<NotificationKind, string>> = {
  filed: 'filed',
  'needs-you': 'needs you',
  reminder: 'still waits',
  escalated: 'escalated',
  taken: 'is taken',
  closed: 'closed',
  budget: 'budget',
};

const TITLE_CHARACTERS = 200;

/** `tikv/1 needs you: #2 start-store tikv-2` */
export function titleOf({ kind, ticket, text }: Pick<Notification, 'kind' | 'ticket' | 'text'>): string {
  const who = ticket === null ? WORDS[kind] : `${ticket} ${WORDS[kind]}`;
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const title = `${who}: ${first.replace(/^#+ /, '').trim()}`;
  return title.length <= TITLE_CHARACTERS ? title : `${title.slice(0, TITLE_CHARACTERS - 1)}…`;
}

/** The verb to type: the decision card where an answer is awaited. */
export function nextOf({ kind, ticket }: Pick<Notification, 'kind' | 'ticket'>): string {
  if (ticket === null) return './medic budget';
  return `./medic ${kind === 'needs-you' ? 'decide' : 'show'} ${ticket}`;
}
