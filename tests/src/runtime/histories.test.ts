import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Runtime } from '@temporalio/worker';
import { tell } from '../../../src/domain/story.js';
import type { TrailEvent } from '../../../src/domain/trail.js';
import { parseHistory } from '../../../src/runtime/history.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { recordedThoughts } from '../../../src/runtime/recorded-thoughts.js';
import { quietRuntime, replay } from '../../../src/runtime/replay.js';

const folder = join(packageRoot(), 'tests', 'histories');
const histories = readdirSync(folder).filter((name) => name.endsWith('.json'));

async function replayed(text: string, source: string): Promise<TrailEvent[]> {
  const events: TrailEvent[] = [];
  const started = parseHistory(text, source).events?.[0]?.workflowExecutionStartedEventAttributes;
  await replay({ text, source, workflowId: started?.workflowId ?? '', tell: (_ticket, event) => events.push(event) });
  return events;
}

describe('a recorded history', () => {
  let runtime: Runtime | undefined;
  beforeAll(() => {
    runtime = quietRuntime();
  });
  afterAll(() => runtime?.shutdown());

  it('is there for three runs in which the worker was killed', () => {
    expect(histories).toEqual([
      'worker-killed-at-the-gate.json',
      'worker-killed-during-the-act.json',
      'worker-killed-while-investigating.json',
    ]);
  });

  it.each(histories)('%s replays on the present code, which tells it to its end', async (name) => {
    const events = await replayed(readFileSync(join(folder, name), 'utf8'), name);
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.flatMap((e) => (e.type === 'closed' ? [e.phase] : []))).toEqual(['resolved']);
    const told = events.flatMap((event) => tell(event)?.lines ?? []).join('\n');
    expect(told).toContain('process-dead/tikv-');
    expect(told).toContain('healthy 6 of 6; cause gone');
  });

  it.each(histories)('%s gives its thoughts back by turn, for the recorded reasoner', (name) => {
    const thoughts = recordedThoughts(parseHistory(readFileSync(join(folder, name), 'utf8'), name));
    expect(thoughts.map(({ turn }) => turn)).toEqual(thoughts.map((_, i) => i + 1));
    expect(thoughts.map(({ thought }) => thought.nextStep.kind)).toEqual(['look', 'propose']);
  });

  it('from before answers were weighed replays: a denial by update, one by signal, and an approval', async () => {
    const name = join('answers', 'denied-twice-then-approved.json');
    const events = await replayed(readFileSync(join(folder, name), 'utf8'), name);
    expect(events.flatMap((e) => (e.type === 'decided' ? [e.answer] : []))).toEqual(['deny', 'deny', 'approve']);
    expect(events.flatMap((e) => (e.type === 'closed' ? [e.phase] : []))).toEqual(['resolved']);
  });

  it('of other code is refused with the sentence that says where it parts', async () => {
    const [name = ''] = histories;
    const foreign = readFileSync(join(folder, name), 'utf8').replaceAll('"openTurn"', '"openRound"');
    await expect(replayed(foreign, name)).rejects.toMatchObject({
      code: 'MEDIC_REPLAY_DIVERGED',
      message: expect.stringContaining('[TMPRL1100]'),
    });
  });

  it('that is no history is refused', async () => {
    await expect(replayed('{"events": []}', 'x.json')).rejects.toMatchObject({ code: 'MEDIC_HISTORY_UNREADABLE' });
    await expect(replayed('no json', 'x.json')).rejects.toMatchObject({ code: 'MEDIC_HISTORY_UNREADABLE' });
  });
});
