import type { Step } from '../../src/domain/proposal.js';
import { describeCall } from '../../src/domain/query.js';
import { escalate } from './escalate.js';
import type { TicketRun } from './run.js';

/**
 * Takes the applied steps back, the last first. What takes nothing away has nothing to take back. A step that would
 * need a command is left to a person with the exact remainder: no catalogued action has such an inverse yet, and an
 * inverse that nobody approved must not run.
 */
export async function undo(run: TicketRun): Promise<void> {
  const steps = [...run.ticket.applied].reverse();
  const remainder = steps.filter((step) => step.inverse.kind !== 'none');
  for (const step of steps.filter((s) => s.inverse.kind === 'none')) noteRestorative(run, step, steps);
  if (remainder.length > 0) {
    run.change({ applied: [...remainder].reverse() });
    return escalate(run, `to be taken back by hand: ${remainder.map(tellRemainder).join('; ')}`);
  }
  run.change({ applied: [] });
  run.refuse('the repair made it worse and there was nothing to take back');
  run.move('undone', 'every applied step took nothing away');
}

function noteRestorative(run: TicketRun, step: Step, all: readonly Step[]): void {
  const why = step.inverse.kind === 'none' ? step.inverse.why : '';
  run.happen({
    type: 'undid',
    step: all.indexOf(step) + 1,
    command: step.describe,
    outcome: `nothing to take back: ${why}`,
  });
}

function tellRemainder(step: Step): string {
  return step.inverse.kind === 'restore' ? describeCall(step.inverse.call) : `${step.describe} (irreversible)`;
}
