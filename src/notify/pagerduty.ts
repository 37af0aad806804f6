import type { Notification } from '../domain/notification.js';
import type { Severity } from '../domain/violation.js';

const SUMMARY_CHARACTERS = 1_024;
/** PagerDuty refuses events above 512 KB; a brief is far below, unless a log line is not. */
const TEXT_CHARACTERS = 20_000;

const SEVERITIES: Readonly<Record<Severity, 'critical' | 'error' | 'warning' | 'info'>> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  info: 'info',
};

/**
 * The body for PagerDuty's Events API v2. One ticket is one alert: its id is the `dedup_key`, so what follows joins it, and the
 * end of the ticket resolves it. Somebody who takes the ticket acknowledges it.
 */
export function pagerDutyBody(notification: Notification, routingKey: string): string {
  const { kind, ticket, at, severity, title, text, next, event } = notification;
  const common = { routing_key: routingKey, dedup_key: `medic/${ticket ?? (kind === 'budget' ? 'budget' : event)}` };
  if (kind === 'closed') return JSON.stringify({ ...common, event_action: 'resolve' });
  if (kind === 'taken') return JSON.stringify({ ...common, event_action: 'acknowledge' });
  return JSON.stringify({
    ...common,
    event_action: 'trigger',
    payload: {
      summary: title.slice(0, SUMMARY_CHARACTERS),
      source: 'medic',
      severity: SEVERITIES[severity],
      timestamp: at,
      component: ticket?.split('/')[0] ?? 'budget',
      class: kind,
      custom_details: { text: text.slice(0, TEXT_CHARACTERS), next, event },
    },
  });
}
