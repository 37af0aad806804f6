import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { type Instant, instant } from '../src/domain/ids.js';
import { advance, type Findings, NOTHING_WATCHED } from '../src/domain/watching.js';
import type { WatchActivities } from '../workflows/activity-contract.js';
import type { DeskPort } from '../workflows/contract.js';
import { cancellation, stopIfCancelled } from './cancellation.js';
import { beat } from './heartbeats.js';
import { type Room, type Rooms, roomOf } from './room.js';

export interface WatchDeps {
  readonly rooms: Rooms;
  readonly desk: DeskPort;
  readonly now: () => number;
  /** Told after each sample: for metrics. */
  readonly onSample: (subject: string, at: Instant, reported: boolean) => void;
  readonly warn: (message: string, fields: Record<string, unknown>) => void;
}

/** Samples of one `watch`; then the patrol starts the next, with whatever code the worker runs by then. */
const SAMPLES_PER_WATCH = 600;
const KEEP_ALIVE_MS = 60_000;
const BEAT_MS = 1_000;

/**
 * The patrol's eyes. Each watch begins with an empty memory, so after a restart nothing is cleared before it was seen
 * clean again; what is broken is filed again by the same fingerprint and joins its ticket.
 */
export function createWatch(deps: WatchDeps): WatchActivities {
  return {
    async watch({ subject }) {
      const stop = beat(BEAT_MS);
      try {
        await watchSubject(deps, roomOf(deps.rooms, subject));
      } finally {
        stop();
      }
    },
  };
}

async function watchSubject(deps: WatchDeps, room: Room): Promise<void> {
  const context = Context.current();
  const tell = createReporter(deps, room.subject.name);
  let state = NOTHING_WATCHED;
  for (let sample = 0; sample < SAMPLES_PER_WATCH; sample += 1) {
    const began = deps.now();
    const picture = await room.eyes.observe('vitals', cancellation());
    await stopIfCancelled();
    const checks = room.subject.invariants.filter((i) => i.use === 'files').map((i) => i.check(picture));
    const at = instant(began);
    const next = advance(state, checks, { subject: room.subject.name, at, ...room.sampling });
    state = next.state;
    deps.onSample(room.subject.name, at, await tell(next.findings, at));
    await context.sleep(Math.max(0, began + room.sampling.sampleMs - deps.now()));
  }
}

/** Reports on change and as a keep-alive. What could not be delivered is told again with the next sample. */
function createReporter({ desk, now, warn }: WatchDeps, subject: string) {
  const watch = randomUUID();
  let seq = 0;
  let told = { text: '', at: Number.NEGATIVE_INFINITY };
  return async (findings: Findings, at: Instant): Promise<boolean> => {
    const text = outline(findings);
    if (text === told.text && now() - told.at < KEEP_ALIVE_MS) return false;
    seq += 1;
    try {
      await desk.report({ subject, watch, seq, at, ...findings });
      told = { text, at: now() };
      return true;
    } catch (error) {
      warn('a report did not reach the desk', { subject, error: String(error) });
      return false;
    }
  };
}

/** What counts as a change: who is active, suspect or judged; not the ages in the messages. */
const outline = ({ active, suspect, judged }: Findings): string =>
  JSON.stringify([active.map((v) => v.fingerprint).sort(), [...suspect].sort(), [...judged].sort()]);
