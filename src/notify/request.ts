import type { NotifyTarget } from '../config/medic.js';
import type { Notification } from '../domain/notification.js';
import { pagerDutyBody } from './pagerduty.js';
import { slackBody } from './slack.js';
import { signed, webhookBody } from './webhook.js';

/** One POST. The address and the body may hold a secret: never log either. */
export interface NotifyRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RequestOptions {
  readonly target: NotifyTarget;
  readonly notification: Notification;
  readonly secret: (source: SecretOf) => Promise<string>;
  /** Ms since 1970, for the signature. */
  readonly now: number;
}

type SecretOf = Extract<NotifyTarget, { type: 'webhook' }>['secret'];

/** What a target expects of a notification. Throws what `secret` throws. */
export async function requestOf({ target, notification, secret, now }: RequestOptions): Promise<NotifyRequest> {
  switch (target.type) {
    case 'webhook': {
      const body = webhookBody(notification);
      const signature = signed({ body, secret: await secret(target.secret), now });
      return { url: target.url, headers: { ...JSON_TYPE, 'x-medic-event': notification.event, ...signature }, body };
    }
    case 'slack':
      return { url: await secret(target.address), headers: JSON_TYPE, body: slackBody(notification) };
    case 'pagerduty':
      return {
        url: target.url,
        headers: JSON_TYPE,
        body: pagerDutyBody(notification, await secret(target.routingKey)),
      };
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
