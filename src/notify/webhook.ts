import { createHmac } from 'node:crypto';
import type { Notification } from '../domain/notification.js';

/** `{apiVersion: "medic/v1", kind: "notification", value: Notification}` */
export const webhookBody = (notification: Notification): string =>
  JSON.stringify({ apiVersion: 'medic/v1', kind: 'notification', value: notification });

/**
 * Headers by which a receiver knows the sender: HMAC-SHA256 over `TIMESTAMP.BODY`, the timestamp in seconds since 1970.
 * It refuses what is older than some minutes, so that nothing can be sent again by somebody else later.
 */
export function signed({ body, secret, now }: { body: string; secret: string; now: number }): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-medic-timestamp': timestamp, 'x-medic-signature': `v1=${mac}` };
}
