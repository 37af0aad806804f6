import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { NotifyTarget } from '../../../src/config/medic.js';
import { instant, ticketId } from '../../../src/domain/ids.js';
import { NOTIFICATION_KINDS, type Notification, nextOf, titleOf } from '../../../src/domain/notification.js';
import { requestOf } from '../../../src/notify/request.js';

const NOW = Date.parse('2026-11-30T12:00:00.500Z');
const told: Notification = {
  event: 'run-1.7',
  kind: 'needs-you',
  at: instant(NOW),
  ticket: ticketId('tikv', 7),
  severity: 'high',
  title: 'tikv/7 needs you: #2 start-store tikv-2',
  text: 'H1 <!channel> & more',
  next: './medic show tikv/7',
};
const on = NOTIFICATION_KINDS;
const TARGETS = {
  webhook: { name: 'hook', type: 'webhook', url: 'https://hook.example.com/m', secret: { env: 'S' }, on },
  slack: { name: 'chat', type: 'slack', address: { env: 'S' }, on },
  pagerduty: { name: 'pager', type: 'pagerduty', routingKey: { env: 'S' }, url: 'https://pd.example.com', on },
} satisfies Record<string, NotifyTarget>;

const request = (target: NotifyTarget, notification = told) =>
  requestOf({ target, notification, now: NOW, secret: async () => 'https://s3cret.example.com' });

describe('a request to', () => {
  it('a webhook says who sent it: its signature covers the time and the body', async () => {
    const { url, headers, body } = await request(TARGETS.webhook);
    expect(url).toBe('https://hook.example.com/m');
    expect(JSON.parse(body)).toEqual({ apiVersion: 'medic/v1', kind: 'notification', value: told });
    const mac = createHmac('sha256', 'https://s3cret.example.com').update(`1796040000.${body}`).digest('hex');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-medic-event': 'run-1.7',
      'x-medic-timestamp': '1796040000',
      'x-medic-signature': `v1=${mac}`,
    });
  });

  it('Slack goes to its secret address and can mention nobody', async () => {
    const { url, body } = await request(TARGETS.slack);
    expect(url).toBe('https://s3cret.example.com');
    expect(JSON.parse(body)).toEqual({
      text: told.title,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: told.title, emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: 'H1 &lt;!channel&gt; &amp; more' } },
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', text: 'severity high · `./medic show tikv/7` · event run-1.7' }],
        },
      ],
    });
  });

  it('Slack stays within what its blocks take, and cuts no escape in two', async () => {
    const { body } = await request(TARGETS.slack, { ...told, title: 't'.repeat(400), text: '&'.repeat(4_000) });
    const { blocks } = JSON.parse(body) as { blocks: { text: { text: string } }[] };
    expect(blocks[0]?.text.text).toHaveLength(150);
    expect(blocks[1]?.text.text.length).toBeLessThanOrEqual(3_000);
    expect(blocks[1]?.text.text).toMatch(/^(&amp;)+…$/);
  });

  it('PagerDuty about the budget is an alert of its own, which a test does not resolve', async () => {
    const keyOf = async (kind: Notification['kind']) => {
      const { body } = await request(TARGETS.pagerduty, { ...told, kind, ticket: null });
      return (JSON.parse(body) as { dedup_key: string }).dedup_key;
    };
    expect([await keyOf('budget'), await keyOf('closed')]).toEqual(['medic/budget', 'medic/run-1.7']);
  });

  it('PagerDuty is one alert for one ticket', async () => {
    const { url, body } = await request(TARGETS.pagerduty);
    expect(url).toBe('https://pd.example.com');
    expect(JSON.parse(body)).toEqual({
      routing_key: 'https://s3cret.example.com',
      dedup_key: 'medic/tikv/7',
      event_action: 'trigger',
      payload: {
        summary: told.title,
        source: 'medic',
        severity: 'error',
        timestamp: told.at,
        component: 'tikv',
        class: 'needs-you',
        custom_details: { text: told.text, next: told.next, event: told.event },
      },
    });
    const taking = await request(TARGETS.pagerduty, { ...told, kind: 'taken' });
    expect(JSON.parse(taking.body)).toMatchObject({ dedup_key: 'medic/tikv/7', event_action: 'acknowledge' });
    const closing = await request(TARGETS.pagerduty, { ...told, kind: 'closed' });
    expect(JSON.parse(closing.body)).toEqual({
      routing_key: 'https://s3cret.example.com',
      dedup_key: 'medic/tikv/7',
      event_action: 'resolve',
    });
  });
});

describe('a title', () => {
  it.each([
    ['filed', 'tikv-2 does not answer', 'tikv/7 filed: tikv-2 does not answer'],
    ['escalated', '\n# Brief\nmore', 'tikv/7 escalated: Brief'],
    ['closed', 'resolved', 'tikv/7 closed: resolved'],
  ] as const)('of %s is one line', (kind, text, title) => {
    expect(titleOf({ kind, ticket: told.ticket, text })).toBe(title);
  });

  it('of the budget names no ticket, and no title has more than 200 characters', () => {
    expect(titleOf({ kind: 'budget', ticket: null, text: 'all is spent' })).toBe('budget: all is spent');
    expect(titleOf({ ...told, text: 'x'.repeat(500) })).toHaveLength(200);
  });

  it('comes with the verb to type: the budget, the ticket, or the decision card where an answer is awaited', () => {
    const { ticket } = told;
    expect([
      nextOf({ kind: 'budget', ticket: null }),
      nextOf({ kind: 'escalated', ticket }),
      nextOf({ kind: 'needs-you', ticket }),
    ]).toEqual(['./medic budget', './medic show tikv/7', './medic decide tikv/7']);
  });
});
