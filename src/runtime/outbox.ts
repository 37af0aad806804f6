import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { NoticeInput } from '../../workflows/activity-contract.js';
import { noticeId, WORKFLOWS } from '../../workflows/contract.js';
import type { NotifyTarget } from '../config/medic.js';
import { type Notification, nextOf, titleOf } from '../domain/notification.js';

export interface OutboxOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly targets: () => Promise<readonly NotifyTarget[]>;
}

/** Where a notification is left. Each target is told by a workflow of its own, which outlives this process. */
export interface Outbox {
  /**
   * Returns when Temporal has it. Leaving the same event again changes nothing. `to` names who is told, whatever they listen
   * to; absent: whoever listens to the kind.
   */
  leave(notification: Omit<Notification, 'title' | 'next'> & { readonly to?: readonly string[] }): Promise<void>;
}

export function createOutbox({ client, taskQueue, targets }: OutboxOptions): Outbox {
  async function start(input: NoticeInput): Promise<void> {
    const { notification, target } = input;
    try {
      await client.workflow.start(WORKFLOWS.notice, {
        workflowId: noticeId(notification, target),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        taskQueue,
        args: [input],
        staticSummary: `tell ${target}: ${notification.title}`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  return {
    async leave({ to, ...told }) {
      const notification = { ...told, title: titleOf(told), next: nextOf(told) };
      const listening = (await targets()).filter(({ name, on }) => (to ? to.includes(name) : on.includes(told.kind)));
      await Promise.all(listening.map(({ name }) => start({ notification, target: name })));
    },
  };
}
