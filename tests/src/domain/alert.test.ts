import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Alert, sortAlerts } from '../../../src/domain/alert.js';
import { correlate, withViolations } from '../../../src/domain/correlation.js';
import { ticketId } from '../../../src/domain/ids.js';

const AT = '2026-12-01T00:00:00.000Z';
const NODES = new Map([
  ['prod-east', (address: string) => (address === '10.0.1.4:20180' ? 'kv-1:20160' : null)],
  ['prod-west', () => null],
]);
const ONE = new Map([['tikv', (address: string) => (address.startsWith('10.0.1.4') ? 'kv-1:20160' : null)]]);

const alert = (labels: Record<string, string>, part: Partial<Alert> = {}): Alert => ({
  status: 'firing',
  labels: { alertname: 'TiKV_down', ...labels },
  text: 'alert TiKV_down: it is down',
  since: AT,
  ...part,
});

describe('alerts', () => {
  it('become violations with a fingerprint of our own, on the node that they name', () => {
    const { reports } = sortAlerts(
      [alert({ cluster: 'prod-east', instance: '10.0.1.4:20180', level: 'emergency' })],
      NODES,
    );
    expect(reports).toEqual([
      {
        subject: 'prod-east',
        active: [
          {
            invariant: 'alert:TiKV_down',
            target: 'kv-1:20160',
            severity: 'critical',
            message: 'alert TiKV_down: it is down',
            fingerprint: 'prod-east:alert:TiKV_down:kv-1:20160',
            since: AT,
          },
        ],
        cleared: [],
      },
    ]);
  });

  it('are of the only subject unless they name another; about nobody known they have no target', () => {
    const { reports } = sortAlerts([alert({ instance: 'elsewhere:9100', cluster: 'lab-7' })], ONE);
    expect(reports[0]).toMatchObject({
      subject: 'tikv',
      active: [{ target: null, fingerprint: 'tikv:alert:TiKV_down:elsewhere:9100', severity: 'medium' }],
    });
    expect(sortAlerts([alert({ medic_subject: 'other' })], ONE)).toEqual({
      reports: [],
      ignored: [{ alert: 'TiKV_down', why: 'no subject here is meant; there are tikv' }],
    });
    expect(sortAlerts([alert({})], NODES).ignored).toEqual([
      { alert: 'TiKV_down', why: 'no subject here is meant; there are prod-east, prod-west' },
    ]);
  });

  it('file nothing when they only inform, and that they are over is heard all the same', () => {
    const info = alert({ severity: 'info' });
    expect(sortAlerts([info], ONE)).toMatchObject({ reports: [], ignored: [{ why: 'its severity only informs' }] });
    expect(sortAlerts([{ ...info, status: 'resolved' }], ONE).reports[0]).toMatchObject({
      active: [],
      cleared: ['tikv:alert:TiKV_down:-'],
    });
  });

  it('are over only when they fire nowhere on their node', () => {
    const disk = (device: string, status: Alert['status']) => alert({ instance: '10.0.1.4:9100', device }, { status });
    expect(sortAlerts([disk('sda', 'resolved'), disk('sdb', 'firing')], ONE).reports[0]).toMatchObject({
      active: [{ target: 'kv-1:20160' }],
      cleared: [],
    });
  });

  it('clear nothing but themselves, and repeats change nothing, whatever the patrol knows', () => {
    const some = fc.array(
      fc.record({
        status: fc.constantFrom('firing' as const, 'resolved' as const),
        name: fc.constantFrom('A', 'B', 'C'),
        instance: fc.constantFrom('10.0.1.4:1', '10.0.9.9:1'),
      }),
      { maxLength: 6 },
    );
    const own = { invariant: 'store-up', target: 'kv-1:20160', severity: 'high', message: 'x', since: AT } as const;
    const known = { ...own, fingerprint: 'tikv:store-up:kv-1:20160' };
    fc.assert(
      fc.property(some, (alerts) => {
        const given = alerts.map(({ status, name, instance }) => alert({ alertname: name, instance }, { status }));
        const [report] = sortAlerts(given, ONE).reports;
        if (!report) return;
        const message = { ...report, watch: 'w', seq: 0, at: AT, suspect: [], judged: [] };
        const ticket = {
          id: ticketId('tikv', 1),
          openedAt: AT,
          target: 'kv-1:20160',
          active: [known, ...report.active],
        };
        const first = correlate([ticket], message);
        expect(first.clear).toEqual([]);
        expect([first.attach, first.open]).toEqual([[], []]);
        const over = correlate([withViolations(ticket, [])], {
          ...message,
          active: [],
          cleared: report.active.map((v) => v.fingerprint),
        });
        expect(over.clear.flatMap(({ violations }) => violations)).toEqual(report.active);
      }),
    );
  });
});
