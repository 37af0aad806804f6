import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { correlate, type OpenTicket, withoutViolations, withViolations } from '../../../src/domain/correlation.js';
import { instant, ticketId } from '../../../src/domain/ids.js';
import { fingerprint, type Report, type Violation } from '../../../src/domain/violation.js';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number) => instant(T0 + second * 1000);

const violation = (invariant: string, target: string | null): Violation => ({
  invariant,
  target,
  severity: 'high',
  message: `${invariant} ${target}`,
  fingerprint: fingerprint('tikv', invariant, target),
  since: at(0),
});
const report = (second: number, active: readonly Violation[], part: Partial<Report> = {}): Report => ({
  subject: 'tikv',
  seq: 1,
  watch: 'w',
  at: at(second),
  active,
  suspect: [],
  judged: [],
  ...part,
});
const ticket = (number: number, target: string | null, active: readonly Violation[], second = 0): OpenTicket => ({
  id: ticketId('tikv', number),
  openedAt: at(second),
  target,
  active,
});
const desk = (...tickets: readonly OpenTicket[]) => tickets;

const reach = violation('store-reachable', 'tikv-2');
const up = violation('store-up', 'tikv-2');
const pending = violation('regions-no-pending-peer', null);

describe('correlation', () => {
  it('opens one ticket for one target with its untargeted symptoms', () => {
    expect(correlate(desk(), report(0, [pending, reach, up]))).toEqual({
      attach: [],
      open: [{ target: 'tikv-2', violations: [reach, up, pending] }],
      clear: [],
    });
  });

  it('opens a ticket for each of two targets, and symptoms go to the first', () => {
    const other = violation('store-reachable', 'tikv-3');
    expect(correlate(desk(), report(0, [reach, other, pending])).open).toEqual([
      { target: 'tikv-2', violations: [reach, pending] },
      { target: 'tikv-3', violations: [other] },
    ]);
  });

  it('attaches a further violation of the same target, however old its ticket is', () => {
    const open = ticket(1, 'tikv-2', [reach]);
    expect(correlate(desk(open), report(500, [reach, up]))).toEqual({
      attach: [{ ticket: open.id, violations: [up] }],
      open: [],
      clear: [],
    });
  });

  it('attaches a symptom to the oldest ticket of the last minute', () => {
    const tickets = [ticket(1, 'tikv-1', [], 0), ticket(2, 'tikv-2', [reach], 50), ticket(3, 'tikv-3', [], 60)];
    expect(correlate(desk(...tickets), report(90, [reach, pending])).attach).toEqual([
      { ticket: tickets[1]!.id, violations: [pending] },
    ]);
  });

  it('gives a symptom without any recent ticket one of its own', () => {
    const old = ticket(1, 'tikv-2', [reach], 0);
    expect(correlate(desk(old), report(61, [reach, pending])).open).toEqual([{ target: null, violations: [pending] }]);
  });

  it('lets the first targeted violation join a symptom that was filed a moment before', () => {
    const symptom = ticket(1, null, [pending], 0);
    const other = violation('store-reachable', 'tikv-3');
    const dispatch = correlate(desk(symptom), report(2, [pending, reach, other]));
    expect(dispatch.attach).toEqual([{ ticket: symptom.id, violations: [reach] }]);
    expect(dispatch.open).toEqual([{ target: 'tikv-3', violations: [other] }]);
  });

  it('clears only what was judged and is neither active nor suspect', () => {
    const open = ticket(1, 'tikv-2', [reach, up, pending]);
    const nothingJudged = correlate(desk(open), report(10, []));
    expect(nothingJudged.clear).toEqual([]);
    const judged = ['store-reachable', 'store-up'];
    const dispatch = correlate(desk(open), report(10, [], { judged, suspect: [up.fingerprint] }));
    expect(dispatch.clear).toEqual([{ ticket: open.id, violations: [reach] }]);
  });

  it('gathers with a quiet ticket what belongs to it, and prefers an open one', () => {
    const quiet: OpenTicket = { ...ticket(1, 'tikv-2', [reach], 0), quiet: true };
    expect(correlate([quiet], report(5, [reach, up, pending]))).toEqual({
      attach: [{ ticket: quiet.id, violations: [up, pending] }],
      open: [],
      clear: [],
    });
    const open = ticket(2, 'tikv-3', [], 4);
    expect(correlate([quiet, open], report(5, [reach, pending])).attach).toEqual([
      { ticket: open.id, violations: [pending] },
    ]);
  });

  it('changes nothing when the same report comes again (property)', () => {
    const some = fc.subarray([reach, up, pending, violation('pd-leader', 'pd'), violation('store-up', 'tikv-3')]);
    fc.assert(
      fc.property(some, some, (first, second) => {
        const after = apply([], correlate(desk(), report(0, first)));
        const later = report(1, second);
        const once = apply(after, correlate(desk(...after), later));
        expect(correlate(desk(...once), later)).toMatchObject({ attach: [], open: [] });
        const names = once.flatMap((t) => t.active.map((v) => v.fingerprint));
        expect(new Set(names).size).toBe(names.length);
        expect(second.every((v) => names.includes(v.fingerprint))).toBe(true);
      }),
    );
  });
});

function apply(tickets: readonly OpenTicket[], dispatch: ReturnType<typeof correlate>): OpenTicket[] {
  const attached = tickets.map((open) =>
    dispatch.attach.filter((a) => a.ticket === open.id).reduce((t, a) => withViolations(t, a.violations), open),
  );
  const opened = dispatch.open.map((open, i) => ticket(tickets.length + i + 1, open.target, open.violations));
  return [...attached, ...opened].map((open) =>
    dispatch.clear.filter((c) => c.ticket === open.id).reduce((t, c) => withoutViolations(t, c.violations), open),
  );
}
