import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  leanRows,
  NO_ANSWER,
  type Recording,
  type Row,
  type StoreCell,
  unlistedFrom,
  wholeRows,
} from '../../../bench/sequences/rows.js';
import { readRows } from './recordings.js';

const cell: fc.Arbitrary<StoreCell> = fc.tuple(
  fc.constantFrom('Up', 'Disconnected'),
  fc.nat(3),
  fc.constant(6),
  fc.nat(2),
  fc.constantFrom(0, 1),
  fc.nat(20),
);
const row = fc.record({
  stores: fc.oneof(
    { weight: 4, arbitrary: fc.record({ '1': cell, '4': cell }) },
    { weight: 1, arbitrary: fc.constant(NO_ANSWER as typeof NO_ANSWER) },
  ),
  pd: fc.constantFrom('pd-0', 'pd-1'),
  unhealthy: fc.constantFrom([], ['pd-1']),
  proc: fc.constantFrom('SS', '-S'),
  check: fc.constantFrom<Record<string, number>>({}, { 'pending-peer': 2 }),
  ops: fc.constant({}),
  status_ms: fc.constantFrom([1, 2], ['refused', 2]),
  c: fc.constant([80, 2, 9, 0]),
  err: fc.constantFrom<Record<string, number>>({}, { NotLeader: 3 }),
});
const numbered = (rows: Omit<Row, 's'>[]): Row[] => rows.map((one, s) => ({ ...one, s }));
const recordingOf = (rows: Recording['rows']): Recording => ({
  ...{ scenario: 'x', what: 'x', healed_at_s: 1, stores_by_id: {}, pd_leader_before: '', rows },
});
const withoutAges = (rows: readonly Row[]) =>
  rows.map(({ stores, ...rest }) => ({
    ...rest,
    stores: stores === NO_ANSWER ? stores : Object.entries(stores).map(([id, one]) => [id, one.toSpliced(5, 1)]),
  }));

/** As if PD had stopped to list store 4 with that row. */
const withoutFour = (rows: readonly Row[], from: number): Row[] =>
  rows.map((one, at) =>
    at < from || one.stores === NO_ANSWER ? one : { ...one, stores: { '1': one.stores['1'] as StoreCell } },
  );

describe('rows that leave out what did not change', () => {
  it('say the same as whole ones, but for the ages of heartbeats', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }).map(numbered), (rows) => {
        expect(withoutAges(wholeRows(recordingOf(leanRows(rows))))).toEqual(withoutAges(rows));
      }),
    );
  });

  it('say the same of a store that left the list as whole ones, with the moment in which it left', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 12 }).map(numbered), fc.nat(12), (all, from) => {
        const rows = withoutFour(all, from);
        const recording = { ...recordingOf(leanRows(rows)), unlisted_from_s: unlistedFrom(rows) };
        expect(withoutAges(wholeRows(recording))).toEqual(withoutAges(rows));
      }),
    );
  });

  it('say how old the last heartbeat is where it is older than it should be', () => {
    const at = (s: number, age: number): Row => ({
      ...{ s, stores: { '1': ['Up', 3, 6, 0, 1, age] }, pd: 'pd-0', unhealthy: [], proc: 'S', check: {}, ops: {} },
      ...{ status_ms: [1], c: [80, 2, 9, 0], err: {} },
    });
    const lean = leanRows([at(0, 3), at(1, 4), at(9, 12), at(10, 13), at(11, 0)]);
    expect(lean.slice(1)).toEqual([
      { s: 1 },
      { s: 9, stores: { '1': ['Up', 3, 6, 0, 1, 12] } },
      { s: 10, stores: { '1': ['Up', 3, 6, 0, 1, 13] } },
      { s: 11 },
    ]);
  });

  it('leave a store out that PD stopped to list', () => {
    const whole = wholeRows(readRows('store_offline_by_mistake'));
    const idsAt = (s: number) => Object.keys(whole.find((one) => one.s === s)!.stores);
    expect(idsAt(10)).toContain('12');
    expect(idsAt(12)).not.toContain('12');
  });
});
