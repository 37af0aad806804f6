import type { TrailEvent } from '../../src/domain/trail.js';
import { parseHistory } from '../../src/runtime/history.js';
import { workflowBundlePath } from '../../src/runtime/replay.js';
import { type Answers, play } from '../../src/runtime/whatif/play.js';
import { createSandboxes } from '../../src/runtime/whatif/sandbox.js';
import { scriptOf } from '../../src/runtime/whatif/script.js';

const AS_RECORDED: Answers = {
  before: ({ recorded, name }) => {
    if (!recorded) throw new Error(`${name} is not recorded`);
    return recorded;
  },
  reply: async ({ recorded, name }) =>
    recorded ? { kind: 'resolved', resolution: recorded } : { kind: 'missing', what: name },
};

/** The story of a ticket out of its history, with the part of the server played by Medic. */
export async function playedAgain(history: string, { turn = 1 }: { turn?: number } = {}): Promise<TrailEvent[]> {
  const sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  const script = scriptOf(parseHistory(history, 'history'), 'history');
  const sandbox = await sandboxes.open({ workflowType: 'ticket', ...script });
  const events: TrailEvent[] = [];
  try {
    await play({ script, sandbox, turn, answers: AS_RECORDED, answer: null, tell: (event) => events.push(event) });
  } finally {
    await sandbox.close();
    await sandboxes.close();
  }
  return events;
}
