import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Runtime } from '@temporalio/worker';
import type { TrailEvent } from '../../../../src/domain/trail.js';
import { parseHistory } from '../../../../src/runtime/history.js';
import { packageRoot } from '../../../../src/runtime/package-root.js';
import { quietRuntime, replay, workflowBundlePath } from '../../../../src/runtime/replay.js';
import { type Answers, play } from '../../../../src/runtime/whatif/play.js';
import { createSandboxes, type Sandboxes } from '../../../../src/runtime/whatif/sandbox.js';
import { scriptOf } from '../../../../src/runtime/whatif/script.js';

const folder = join(packageRoot(), 'tests', 'histories');
const histories = readdirSync(folder).filter((name) => name.endsWith('.json'));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

const AS_RECORDED: Answers = {
  before: ({ recorded }) => recorded!,
  reply: async ({ recorded, name }) =>
    recorded ? { kind: 'resolved', resolution: recorded } : { kind: 'missing', what: name },
};

async function played(
  name: string,
  { turn, sandboxes }: { turn: number; sandboxes: Sandboxes },
): Promise<TrailEvent[]> {
  const script = scriptOf(parseHistory(textOf(name), name), name);
  const sandbox = await sandboxes.open({ workflowType: 'ticket', ...script });
  const events: TrailEvent[] = [];
  try {
    const end = await play({ script, sandbox, turn, answers: AS_RECORDED, answer: null, tell: (e) => events.push(e) });
    expect(end).toEqual({ divergence: null, stopped: null });
  } finally {
    await sandbox.close();
  }
  return events;
}

describe('a recorded ticket that is played again with the answers of its record', () => {
  let runtime: Runtime | undefined;
  let sandboxes: Sandboxes;
  beforeAll(async () => {
    runtime = quietRuntime();
    sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  }, 60_000);
  afterAll(async () => {
    await sandboxes?.close();
    await runtime?.shutdown();
  });

  it.each(histories)('%s goes the way that a replay by Temporal goes, event by event', async (name) => {
    const events: TrailEvent[] = [];
    const text = textOf(name);
    await replay({ text, source: name, workflowId: 'x', tell: (_ticket, event) => events.push(event) });
    expect(await played(name, { turn: 1, sandboxes })).toEqual(events);
  });
});
