import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beating } from '../../activities/heartbeats.js';

/** An environment that counts the beats of what runs in it. */
function counted() {
  const environment = new MockActivityEnvironment();
  const beats: unknown[] = [];
  environment.on('heartbeat', (details) => beats.push(details));
  return { environment, beats };
}

describe('an activity that says it is still here', () => {
  it('beats for as long as it takes, and gives its answer', async () => {
    const { environment, beats } = counted();
    const { look } = beating({
      look: async (what: string) => {
        await once(environment, 'heartbeat');
        await once(environment, 'heartbeat');
        return `seen: ${what}`;
      },
    });
    expect(await environment.run(look, 'a store')).toBe('seen: a store');
    expect(beats).toHaveLength(2);
  });

  it('beats not at all when it ends at once, by an answer or by a failure', async () => {
    const { environment, beats } = counted();
    const { look, fails } = beating({
      look: async () => 'seen',
      fails: async () => {
        throw new Error('nothing there');
      },
    });
    expect(await environment.run(look)).toBe('seen');
    await expect(environment.run(fails)).rejects.toThrow('nothing there');
    expect(beats).toEqual([]);
  });
});
