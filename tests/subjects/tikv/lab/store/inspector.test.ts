import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Inspector, startInspector } from '../../../../../subjects/tikv/lab/store/inspector.js';
import { createStoreMetrics } from '../../../../../subjects/tikv/lab/store/metrics.js';
import type { LinkState } from '../../../../../subjects/tikv/lab/store/transport.js';

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
  inspector = startInspector({
    storeId: 1,
    others: () => [2],
    ping: (_, seq) => answers(seq),
    linkState: () => state,
    monotonicMs: () => now,
    metrics,
  });
});

afterEach(() => {
  inspector.stop();
  jest.useRealTimers();
});

function seconds(count: number): void {
  for (let second = 0; second < count; second += 1) {
    now += 1_000;
    jest.advanceTimersByTime(1_000);
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
