import { InterceptingCall, type Interceptor } from '@grpc/grpc-js';

const CALL_MS = 15_000;

/** The server holds these open on purpose, for up to 30 s, and then answers that there is nothing yet. */
const LONG_POLLS = [
  'GetWorkflowExecutionHistory',
  'PollWorkflowExecutionUpdate',
  'UpdateWorkflowExecution',
  'QueryWorkflow',
];
const LONG_POLL_MS = 60_000;

/**
 * Gives every call that has no deadline one: 15 s, or 60 s for long polls. Without one a call to a server that is gone waits as
 * long as the connection is retried.
 */
export function callDeadline({ callMs = CALL_MS, longPollMs = LONG_POLL_MS } = {}): Interceptor {
  return (options, nextCall) => {
    const method = options.method_definition.path.split('/').at(-1) ?? '';
    const waitMs = LONG_POLLS.includes(method) ? longPollMs : callMs;
    return new InterceptingCall(nextCall({ ...options, deadline: options.deadline ?? Date.now() + waitMs }));
  };
}
