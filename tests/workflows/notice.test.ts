import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createDeliver } from '../../activities/deliver.js';
import type { NotifyTarget } from '../../src/config/medic.js';
import { instant, ticketId } from '../../src/domain/ids.js';
import { NOTIFICATION_KINDS, type Notification } from '../../src/domain/notification.js';
import { createOutbox } from '../../src/runtime/outbox.js';
import { noticeId } from '../../workflows/contract.js';
import { type Receiver, receiver } from '../support/receiver.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';

const temporal = withTemporal();

const left = (event: string, kind: Notification['kind'] = 'filed'): Omit<Notification, 'title' | 'next'> => ({
  event,
  kind,
  at: instant(Date.now()),
  ticket: ticketId('tikv', 1),
  severity: 'high',
  text: 'tikv-2 does not answer',
});

/** A worker that delivers to one receiver, and an outbox in front of it. */
async function withReceiver(
  answer: (response: ServerResponse, nth: number) => void,
  work: (room: { outbox: ReturnType<typeof createOutbox>; server: Receiver }) => Promise<void>,
  on: NotifyTarget['on'] = NOTIFICATION_KINDS,
): Promise<void> {
  const server = await receiver(answer);
  const target: NotifyTarget = { name: 'hook', type: 'webhook', url: server.url, secret: { env: 'S' }, on };
  const targets = async () => [target];
  try {
    await temporal.withWorker(
      createDeliver({ targets, secret: async () => 's3cret', now: Date.now }),
      async (taskQueue) => {
        await work({ outbox: createOutbox({ client: temporal.client, taskQueue, targets }), server });
      },
    );
  } finally {
    await server.close();
  }
}

const outcome = (event: string) =>
  temporal.client.workflow.getHandle(noticeId({ event } as Notification, 'hook')).result() as Promise<string>;

describe('a notification', () => {
  it('is sent again until it is taken, each time as the same event', () =>
    withReceiver(
      (response, nth) => void response.writeHead(nth < 3 ? 503 : 202).end(),
      async ({ outbox, server }) => {
        await outbox.leave(left('run-1.1'));
        expect(await outcome('run-1.1')).toBe('delivered, 202');
        expect(server.received.map(({ headers }) => headers['x-medic-event'])).toEqual(Array(3).fill('run-1.1'));
        expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
          value: { title: 'tikv/1 filed: tikv-2 does not answer', next: './medic show tikv/1' },
        });
      },
    ));

  it('that is left twice, as after a lost answer of the activity, is sent once', () =>
    withReceiver(
      (response) => void response.writeHead(202).end(),
      async ({ outbox, server }) => {
        await Promise.all([outbox.leave(left('run-1.2')), outbox.leave(left('run-1.2'))]);
        await outcome('run-1.2');
        await outbox.leave(left('run-1.2'));
        expect(server.received).toHaveLength(1);
      },
    ));

  it('that the receiver refuses for good ends as failed, with what it said', () =>
    withReceiver(
      (response) => void response.writeHead(400).end('no such channel'),
      async ({ outbox, server }) => {
        await outbox.leave(left('run-1.3'));
        await expect(outcome('run-1.3')).rejects.toMatchObject({
          cause: { cause: { type: 'MEDIC_NOTIFY_REFUSED', message: 'hook: it answered 400 no such channel' } },
        });
        expect(server.received).toHaveLength(1);
      },
    ));

  it('of a kind that a target does not want is not left for it', () =>
    withReceiver(
      (response) => void response.writeHead(202).end(),
      async ({ outbox, server }) => {
        await outbox.leave(left('run-1.4', 'filed'));
        await outbox.leave(left('run-1.5', 'escalated'));
        await until('the wanted one', () => (server.received.length > 0 ? true : undefined), { deadlineMs: 10_000 });
        expect(server.received.map(({ headers }) => headers['x-medic-event'])).toEqual(['run-1.5']);
      },
      ['escalated'],
    ));

  it('for a name of the escalation chain is left for it, whatever it wants, and for nobody else', () =>
    withReceiver(
      (response) => void response.writeHead(202).end(),
      async ({ outbox, server }) => {
        await outbox.leave({ ...left('run-1.6', 'escalated'), to: ['boss'] });
        await outbox.leave({ ...left('run-1.7', 'needs-you'), to: ['hook'] });
        await until('the one for it', () => (server.received.length > 0 ? true : undefined), { deadlineMs: 10_000 });
        expect(server.received.map(({ headers }) => headers['x-medic-event'])).toEqual(['run-1.7']);
        expect(JSON.parse(server.received[0]?.body ?? '').value).not.toHaveProperty('to');
      },
      ['escalated'],
    ));
});
