import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyDesk, grantLease } from '../../../src/domain/desk.js';
import { ticketId } from '../../../src/domain/ids.js';
import {
  closeWindow,
  faultOfMaintenance,
  holdBack,
  LONGEST_WINDOW_MS,
  type MaintenanceBook,
  NO_MAINTENANCE,
  nextEndMs,
  openWindow,
  windowOn,
  windowsOver,
} from '../../../src/domain/maintenance.js';
import type { Report, Severity, Violation } from '../../../src/domain/violation.js';
import { later } from '../../../src/domain/waits.js';

const NOW = '2026-01-02T03:00:00.000Z';
const HOUR = 3_600_000;
const request = (target: string | null) => ({ target, forMs: HOUR, by: 'ana', reason: 'kernel upgrade' });
const withWindow = (target: string | null, book = NO_MAINTENANCE) => openWindow(book, request(target), NOW).book;
const violation = (invariant: string, target: string | null, severity: Severity = 'high'): Violation => ({
  ...{ invariant, target, severity, message: invariant, since: NOW },
  fingerprint: `tikv:${invariant}:${target ?? '-'}`,
});
const report = (active: readonly Violation[], part: Partial<Report> = {}): Report => ({
  ...{ subject: 'tikv', seq: 1, watch: 'w', at: later(NOW, 1_000), active, suspect: [], judged: [] },
  ...part,
});
const nobody: ReadonlySet<string> = new Set();
const recorded = ({ open }: MaintenanceBook) =>
  open.flatMap((window) => window.recorded.map(({ violation: { fingerprint }, isActive }) => [fingerprint, isActive]));

const DOWN = violation('store-up', 'tikv-2');
const OTHER = violation('store-up', 'tikv-3');
const SLOW = violation('regions-no-pending-peer', null, 'medium');
const DEAF = violation('service-answers', null, 'critical');

describe('a maintenance window', () => {
  it('records what is violated on its target and leaves the rest to be filed', () => {
    const held = holdBack(withWindow('tikv-2'), report([DOWN, OTHER]), nobody);
    expect(held.report.active).toEqual([OTHER]);
    expect(recorded(held.book)).toEqual([[DOWN.fingerprint, true]]);
  });

  it('takes symptoms without a target along while its target is broken, but nothing critical', () => {
    const alone = holdBack(withWindow('tikv-2'), report([SLOW]), nobody);
    expect(alone.report.active).toEqual([SLOW]);
    const together = holdBack(withWindow('tikv-2'), report([DOWN, SLOW, DEAF]), nobody);
    expect(together.report.active).toEqual([DEAF]);
    const worse = holdBack(together.book, report([DOWN, { ...SLOW, severity: 'critical' }]), nobody);
    expect(worse.report.active).toEqual([{ ...SLOW, severity: 'critical' }]);
  });

  it('of the whole subject records everything', () => {
    expect(holdBack(withWindow(null), report([DOWN, OTHER, SLOW, DEAF]), nobody).report.active).toEqual([]);
  });

  it('takes nothing away from a ticket that has it already', () => {
    const held = holdBack(withWindow('tikv-2'), report([DOWN]), new Set([DOWN.fingerprint]));
    expect(held.report.active).toEqual([DOWN]);
    expect(recorded(held.book)).toEqual([]);
  });

  it('leaves at its end what was not seen to be over', () => {
    const broken = holdBack(withWindow('tikv-2'), report([DOWN, SLOW]), nobody).book;
    const judged = holdBack(broken, report([DOWN], { judged: [SLOW.invariant, DOWN.invariant] }), nobody).book;
    expect(recorded(judged)).toEqual([
      [DOWN.fingerprint, true],
      [SLOW.fingerprint, false],
    ]);
    const { book, left } = closeWindow(judged, 'm1', { now: later(NOW, 5_000), by: 'ana' });
    expect(left).toEqual([DOWN]);
    expect(book).toMatchObject({ open: [], past: [{ id: 'm1', endedBy: 'ana', until: later(NOW, 5_000) }] });
    expect(closeWindow(book, 'm1', { now: NOW }).left).toEqual([]);
  });

  it('forbids to act on its target, and only there', () => {
    const desk = { ...emptyDesk(1), maintenance: withWindow('tikv-2') };
    const ask = (target: string, at = NOW) =>
      grantLease(
        desk,
        { run: 'r', ticket: ticketId('tikv', 1), target, action: 'start-store', key: 'k', forMs: 1_000, rate: null },
        at,
      ).answer;
    expect(ask('tikv-2')).toEqual({
      granted: false,
      why: 'maintenance',
      reason: `maintenance m1 by ana until ${later(NOW, HOUR)}: kernel upgrade`,
    });
    expect(ask('tikv-3').granted).toBe(true);
    expect(ask('tikv-2', later(NOW, HOUR)).granted).toBe(true);
    expect(windowOn(withWindow(null), 'anything', NOW)?.id).toBe('m1');
  });

  it('is over after its time, and the next one to end is known', () => {
    const book = withWindow('tikv-3', openWindow(NO_MAINTENANCE, { ...request('tikv-2'), forMs: 1_000 }, NOW).book);
    expect(nextEndMs(NO_MAINTENANCE, NOW)).toBeNull();
    expect(nextEndMs(book, NOW)).toBe(1_000);
    expect(windowsOver(book, later(NOW, 999))).toEqual([]);
    expect(windowsOver(book, later(NOW, 1_000)).map(({ id }) => id)).toEqual(['m1']);
    expect(nextEndMs(book, later(NOW, 2_000))).toBe(0);
  });

  it('is refused with a wrong form', () => {
    const fault = (part: object) => faultOfMaintenance({ ...request('tikv-2'), ...part }, NO_MAINTENANCE);
    expect(fault({})).toBeNull();
    expect(fault({ forMs: 0 })).toBe('need a positive time');
    expect(fault({ forMs: Number.NaN })).toBe('need a positive time');
    expect(fault({ forMs: LONGEST_WINDOW_MS + 1 })).toBe('a window has at most 7 days');
    expect(fault({ target: '' })).toBe('need a target, or null for all');
    expect(fault({ target: undefined })).toBe('need a target, or null for all');
    expect(fault({ reason: undefined })).toBe('need {target, forMs, by, reason}');
    const full = Array.from({ length: 50 }).reduce<MaintenanceBook>(
      (book) => withWindow('tikv-2', book),
      NO_MAINTENANCE,
    );
    expect(faultOfMaintenance(request('tikv-2'), full)).toBe('there are 50 windows already');
  });

  it('loses nothing: every violation is filed, on a ticket, or recorded', () => {
    const target = fc.constantFrom('tikv-1', 'tikv-2', null);
    const seen = fc.record({ invariant: fc.constantFrom('a', 'b', 'c'), target, critical: fc.boolean() });
    fc.assert(
      fc.property(fc.array(target, { maxLength: 3 }), fc.array(fc.array(seen), { maxLength: 4 }), (windows, rounds) => {
        let book = windows.reduce<MaintenanceBook>((so_far, on) => withWindow(on, so_far), NO_MAINTENANCE);
        for (const round of rounds) {
          const active = round.map((v) => violation(v.invariant, v.target, v.critical ? 'critical' : 'high'));
          const held = holdBack(book, report(active), nobody);
          book = held.book;
          const kept = new Set(recorded(book).map(([fingerprint]) => fingerprint));
          for (const each of active) expect(held.report.active.includes(each) || kept.has(each.fingerprint)).toBe(true);
        }
      }),
    );
  });
});
