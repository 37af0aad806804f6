import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Inspector, startInspector } from '../../../../../subjects/tikv/lab/store/inspector.js';
import { createStoreMetrics } from '../../../../../subjects/tikv/lab/store/metrics.js';
import { probeTimes } from '../../../../../subjects/tikv/lab/store/times.js';
import type { LinkState } from '../../../../../subjects/tikv/lab/store/transport.js';
import { PROFILES, type ProfileName } from '../../../../../subjects/tikv/profiles.js';

let now = 0;
let state: LinkState;
let answers: (seq: number) => void;
let inspector: Inspector;
const metrics = createStoreMetrics({ version: 'test' });

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  state = 'up';
  answers = (seq) => inspector.onPong(2, seq);
  inspector = inspectorIn('real');
});

function inspectorIn(profile: ProfileName): Inspector {
  return startInspector({
    storeId: 1,
    others: () => [2],
    ping: (_, seq) => answers(seq),
    linkState: () => state,
    times: probeTimes(PROFILES[profile].cluster),
    monotonicMs: () => now,
    metrics,
  });
}

afterEach(() => {
  inspector.stop();
  jest.useRealTimers();
});

function seconds(count: number): void {
  rounds(count, 1_000);
}

function rounds(count: number, everyMs: number): void {
  for (let round = 0; round < count; round += 1) {
    now += everyMs;
    jest.advanceTimersByTime(everyMs);
  }
}

describe('the network inspection', () => {
  it('says nothing about a store that answers', () => {
    seconds(30);
    expect(inspector.networkSlowScores()).toEqual({});
    expect(inspector.slowScore()).toBe(1);
  });

  it('gives a store that connects and is silent 100 within nine seconds', () => {
    answers = () => undefined;
    seconds(9);
    expect(inspector.networkSlowScores()).toEqual({ 2: 100 });
  });

  it('forgets within ten minutes what it saw', () => {
    answers = () => undefined;
    seconds(9);
    answers = (seq) => inspector.onPong(2, seq);
    seconds(590);
    expect(inspector.networkSlowScores()).toEqual({ 2: 2 });
    seconds(10);
    expect(inspector.networkSlowScores()).toEqual({});
  });

  it('says nothing about a store whose connection is refused', () => {
    answers = () => undefined;
    seconds(1);
    inspector.onDown(2);
    state = 'refused';
    seconds(60);
    expect(inspector.networkSlowScores()).toEqual({});
  });

  it('does not blame others for the time it slept itself', () => {
    const unanswered: number[] = [];
    answers = (seq) => unanswered.push(seq);
    seconds(1);
    answers = (seq) => inspector.onPong(2, seq);
    now += 60_000;
    seconds(1);
    seconds(5);
    expect(inspector.networkSlowScores()).toEqual({});
  });

  it('records only answers that took longer than 100 ms, with both stores as labels', async () => {
    const late: number[] = [];
    answers = (seq) => late.push(seq);
    seconds(1);
    now += 150;
    inspector.onPong(2, late[0]!);
    const text = await metrics.registry.getSingleMetricAsString('tikv_raftstore_inspect_network_duration_seconds');
    expect(text).toContain('tikv_raftstore_inspect_network_duration_seconds_count{source="1",target="2"} 1');
  });
});

describe('the network inspection in the profile fast', () => {
  beforeEach(() => {
    inspector.stop();
    inspector = inspectorIn('fast');
  });

  const fifths = (count: number) => rounds(count, 200);

  it('gives a store that connects and is silent 100 within two seconds, and forgets it within two minutes', () => {
    answers = () => undefined;
    fifths(10);
    expect(inspector.networkSlowScores()).toEqual({ 2: 100 });
    answers = (seq) => inspector.onPong(2, seq);
    fifths(590);
    expect(inspector.networkSlowScores()).toEqual({ 2: 2 });
    fifths(10);
    expect(inspector.networkSlowScores()).toEqual({});
  });

  it('says nothing about a store that had to wait half a second for its turn', () => {
    const late: number[] = [];
    answers = (seq) => late.push(seq);
    fifths(3);
    for (const seq of late) inspector.onPong(2, seq);
    answers = (seq) => inspector.onPong(2, seq);
    fifths(5);
    expect(inspector.networkSlowScores()).toEqual({});
  });

  it('does not call itself slow after one long sleep', () => {
    now += 12_000;
    fifths(100);
    expect(inspector.slowScore()).toBe(1);
  });

  it('calls itself slow no faster than in real times: late in every round for half a minute makes 8', () => {
    for (let round = 0; round < 39; round += 1) {
      now += 600;
      rounds(1, 200);
    }
    expect(inspector.slowScore()).toBe(8);
  });
});
