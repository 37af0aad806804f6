import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PeerMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import {
  type RegionReport,
  type RegionReporter,
  startRegionReporter,
} from '../../../../../subjects/tikv/lab/store/region-reporter.js';

const voter = (id: number, storeId: number): PeerMeta => ({ id, storeId, role: 'Voter' });
const report = (id: number, news: Partial<RegionReport> = {}): RegionReport => ({
  meta: { id, startKey: '', endKey: '', confVer: 3, version: 24, peers: [voter(id + 1, 1)] },
  leaderPeer: voter(id + 1, 1),
  term: 6,
  pending: [],
  down: [],
  approximateBytes: 0,
  approximateKeys: 0,
  ...news,
});

let now = 0;
let led: RegionReport[];
let sent: number[];
let reporter: RegionReporter;

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  led = [report(10), report(20)];
  sent = [];
  reporter = startRegionReporter({
    clock: { monotonicMs: () => now, now: () => new Date(now) },
    intervalMs: 12_000,
    ledRegions: () => led,
    send: ({ meta }) => sent.push(meta.id),
  });
});

afterEach(() => {
  reporter.stop();
  jest.useRealTimers();
});

function pass(ms: number): void {
  for (let step = 0; step < ms / 100; step += 1) {
    now += 100;
    jest.advanceTimersByTime(100);
  }
}

describe('the region heartbeats that are due', () => {
  it('are one for each region at first, and then one per interval', () => {
    pass(1_000);
    expect(sent).toEqual([10, 20]);
    pass(11_000);
    expect(sent).toEqual([10, 20]);
    pass(1_000);
    expect(sent).toEqual([10, 20, 10, 20]);
  });

  it('come a moment after a change, only for the region that changed, and once for changes that come together', () => {
    pass(1_000);
    sent = [];
    led = [report(10, { pending: [voter(12, 2)] }), report(20)];
    for (let i = 0; i < 5; i += 1) reporter.notice();
    pass(100);
    expect(sent).toEqual([10]);
  });

  it('come in the same moment for a change that PD waits for, and not again after it', () => {
    pass(1_000);
    sent = [];
    reporter.notice();
    led = [report(10, { meta: { ...report(10).meta, confVer: 4 } }), report(20)];
    reporter.urge();
    expect(sent).toEqual([10]);
    pass(1_000);
    expect(sent).toEqual([10]);
  });

  it('do not come for a notice that brings nothing new', () => {
    pass(1_000);
    sent = [];
    reporter.notice();
    pass(500);
    expect(sent).toEqual([]);
  });

  it('come for every led region at once on a new stream', () => {
    pass(1_000);
    sent = [];
    reporter.resendAll();
    expect(sent).toEqual([10, 20]);
  });

  it('come at once for a region that was lost and is led again', () => {
    pass(1_000);
    led = [report(20)];
    pass(1_000);
    sent = [];
    led = [report(10), report(20)];
    reporter.notice();
    pass(100);
    expect(sent).toEqual([10]);
  });
});
