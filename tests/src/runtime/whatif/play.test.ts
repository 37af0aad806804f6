import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Runtime } from '@temporalio/worker';
import type { TrailEvent } from '../../../../src/domain/trail.js';
import { packageRoot } from '../../../../src/runtime/package-root.js';
import { quietRuntime, replay } from '../../../../src/runtime/replay.js';
import { playedAgain } from '../../../support/played-again.js';

const folder = join(packageRoot(), 'tests', 'histories');
const histories = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('a recorded ticket that is played again with the answers of its record', () => {
  let runtime: Runtime | undefined;
  beforeAll(() => {
    runtime = quietRuntime();
  });
  afterAll(() => runtime?.shutdown());

  it.each(histories)('%s goes the way that a replay by Temporal goes, event by event', async (name) => {
    const events: TrailEvent[] = [];
    const text = readFileSync(join(folder, name), 'utf8');
    await replay({ text, source: name, workflowId: 'x', tell: (_ticket, event) => events.push(event) });
    expect(events.length).toBeGreaterThan(0);
    expect(await playedAgain(text)).toEqual(events);
  });

  it('is refused where the present code asks for something else before the turn', async () => {
    const text = readFileSync(join(folder, histories[0] ?? ''), 'utf8').replaceAll('"openTurn"', '"openRound"');
    await expect(playedAgain(text, { turn: 2 })).rejects.toMatchObject({
      code: 'MEDIC_REPLAY_DIVERGED',
      message: expect.stringMatching(/^the present code asks for something else than it did at event \d+$/),
    });
  });
});
