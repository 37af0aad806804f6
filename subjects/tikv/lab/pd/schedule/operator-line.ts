import type { LogLine } from '../log.js';
import type { Operator, Status } from './operator.js';
import { stepText } from './step-text.js';

/** PD's words for what happens to operators (PD: `operator_controller.go`). */
const MESSAGES: Readonly<Record<Status, string>> = {
  CREATED: 'add operator',
  STARTED: 'add operator',
  SUCCESS: 'operator finish',
  CANCEL: 'operator canceled',
  REPLACE: 'replace old operator',
  EXPIRED: 'operator expired',
  TIMEOUT: 'operator timeout',
};

/** The line of the log when an operator began or ended. */
export function operatorLine({ desc, brief, regionId, steps, currentStep, status, reason }: Operator): LogLine {
  return {
    level: 'INFO',
    source: 'operator_controller.go:1',
    message: MESSAGES[status],
    fields: {
      'region-id': regionId,
      operator: `${desc} {${brief}}`,
      steps: steps.map(stepText).join('; '),
      'current-step': currentStep,
      ...(reason === null ? {} : { reason }),
    },
  };
}
