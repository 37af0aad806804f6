import type { InterceptingCall, InterceptorOptions, NextCall } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { callDeadline } from '../../../src/runtime/call-deadline.js';

const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService';

describe('the deadline of a call to Temporal', () => {
  it('is short for an ordinary call', () => {
    expect(secondsLeft(deadlineOf('DescribeNamespace'))).toBeCloseTo(15, 0);
  });

  it('is longer for one that the server holds open on purpose', () => {
    expect(secondsLeft(deadlineOf('GetWorkflowExecutionHistory'))).toBeCloseTo(60, 0);
  });

  it('is left as it is if the caller gave one', () => {
    expect(deadlineOf('DescribeNamespace', { deadline: 7 })).toBe(7);
  });
});

function deadlineOf(method: string, given: { deadline?: number } = {}): number {
  let deadline: unknown;
  const nextCall: NextCall = (options) => {
    deadline = options.deadline;
    return {} as InterceptingCall;
  };
  callDeadline()({ method_definition: { path: `${SERVICE}/${method}` }, ...given } as InterceptorOptions, nextCall);
  return Number(deadline);
}

function secondsLeft(deadline: number): number {
  return (deadline - Date.now()) / 1000;
}
