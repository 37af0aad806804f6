import { ApplicationFailure } from '@temporalio/common';
import type { NotifyTarget } from '../src/config/medic.js';
import { post } from '../src/notify/post.js';
import { type RequestOptions, requestOf } from '../src/notify/request.js';
import type { DeliverActivities } from '../workflows/activity-contract.js';
import { cancellation } from './cancellation.js';

export interface DeliverDeps {
  /** The targets of the present configuration, read anew for each try. */
  readonly targets: () => Promise<readonly NotifyTarget[]>;
  readonly secret: RequestOptions['secret'];
  readonly now: () => number;
}

const WITHIN_MS = 10_000;

/** Sends a notification to one target. Repeated by Temporal until it is taken, refused for good, or a day is over. */
export function createDeliver({ targets, secret, now }: DeliverDeps): DeliverActivities {
  return {
    async deliver({ notification, target: name }) {
      const target = (await targets()).find((each) => each.name === name);
      if (!target) return 'no target of this name any more';
      const request = await requestOf({ target, notification, secret, now: now() });
      const delivery = await post({ request, withinMs: WITHIN_MS, signal: cancellation() });
      switch (delivery.outcome) {
        case 'delivered':
          return `delivered, ${delivery.status}`;
        case 'refused':
          throw ApplicationFailure.nonRetryable(`${name}: ${delivery.why}`, 'MEDIC_NOTIFY_REFUSED');
        case 'again':
          throw ApplicationFailure.create({
            message: `${name}: ${delivery.why}`,
            type: 'MEDIC_NOTIFY_FAILED',
            ...(delivery.afterMs === null ? {} : { nextRetryDelay: delivery.afterMs }),
          });
      }
    },
  };
}
