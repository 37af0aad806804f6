import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertReport } from '../../../../src/domain/alert.js';
import { MedicError } from '../../../../src/domain/errors.js';
import { startIntake } from '../../../../src/runtime/intake/server.js';
import type { Listening } from '../../../../src/telemetry/listen.js';

/** As Alertmanager 0.27 posts it. */
const WEBHOOK = {
  receiver: 'medic',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TiKV_server_is_down', instance: '10.0.1.4:20180', job: 'tikv', level: 'emergency' },
      annotations: { summary: 'TiKV server is down', value: '0' },
      startsAt: '2026-12-01T00:00:00.123456789Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus:9090/graph?g0.expr=x',
      fingerprint: '6b5b2dfbd6a1c2e4',
    },
  ],
  groupLabels: { alertname: 'TiKV_server_is_down' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager:9093',
  version: '4',
  groupKey: '{}:{alertname="TiKV_server_is_down"}',
  truncatedAlerts: 0,
};

let intake: Listening;
let reports: AlertReport[] = [];
let logged: string[] = [];
let isDeskAway = false;
let token: () => Promise<string> = async () => 's3';

beforeAll(async () => {
  intake = await startIntake({
    host: '127.0.0.1',
    port: 0,
    token: () => token(),
    nodes: new Map([['tikv', (address) => (address === '10.0.1.4:20180' ? 'kv-1:20160' : null)]]),
    report: async (report) => {
      if (isDeskAway) throw new Error('deadline exceeded');
      reports.push(report);
    },
    log: (message) => logged.push(message),
  });
});
afterAll(() => intake.close());
beforeEach(() => {
  reports = [];
  logged = [];
  isDeskAway = false;
  token = async () => 's3';
});

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly authorization?: string | null;
  readonly body?: string;
}

async function send({ path = '/intake/alertmanager', method = 'POST', authorization = 'Bearer s3', body }: Sent = {}) {
  const response = await fetch(`http://127.0.0.1:${intake.port}${path}`, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(method === 'POST' ? { body: body ?? JSON.stringify(WEBHOOK) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the intake of alerts', () => {
  it('hands what fires and what is over to the desk, and says what it did', async () => {
    const over = { ...WEBHOOK.alerts[0], status: 'resolved', labels: { alertname: 'PD_down' } };
    const informs = { ...over, status: 'firing', labels: { alertname: 'Watchdog', severity: 'none' } };
    const answer = await send({ body: JSON.stringify({ ...WEBHOOK, alerts: [...WEBHOOK.alerts, over, informs] }) });
    expect(answer).toEqual({
      status: 200,
      body: { active: 1, cleared: 1, ignored: [{ alert: 'Watchdog', why: 'its severity only informs' }] },
    });
    expect(reports).toEqual([
      {
        subject: 'tikv',
        active: [
          {
            invariant: 'alert:TiKV_server_is_down',
            target: 'kv-1:20160',
            severity: 'critical',
            message: 'alert TiKV_server_is_down: TiKV server is down',
            fingerprint: 'tikv:alert:TiKV_server_is_down:kv-1:20160',
            since: '2026-12-01T00:00:00.123Z',
          },
        ],
        cleared: ['tikv:alert:PD_down:-'],
      },
    ]);
  });

  it.each([[null], ['Bearer s4'], ['Basic s3'], ['Bearer '], ['s3']])(
    'answers 401 to %j, and nothing is heard',
    async (authorization) => {
      expect(await send({ authorization })).toEqual({
        status: 401,
        body: { error: 'a bearer token is needed, and this is not it' },
      });
      expect(reports).toEqual([]);
    },
  );

  it.each([
    ['nonsense', 'the body is no JSON'],
    ['[]', 'the body is no webhook of Alertmanager: it: '],
    [JSON.stringify({ ...WEBHOOK, version: '3' }), 'the body is no webhook of Alertmanager: version: '],
    [JSON.stringify({ ...WEBHOOK, alerts: [] }), 'the body is no webhook of Alertmanager: alerts: '],
    [
      JSON.stringify({ ...WEBHOOK, alerts: [{ ...WEBHOOK.alerts[0], labels: { instance: 'x' } }] }),
      'the body is no webhook of Alertmanager: alerts.0.labels: need `alertname`',
    ],
    [
      JSON.stringify({ ...WEBHOOK, alerts: [WEBHOOK.alerts[0], { ...WEBHOOK.alerts[0], startsAt: 'now' }] }),
      'the body is no webhook of Alertmanager: alerts.1.startsAt: ',
    ],
  ])(
    'answers 400 with the reason to a body that it does not understand, and takes no part of it: %#',
    async (body, why) => {
      const answer = await send({ body });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain(why);
      expect(reports).toEqual([]);
    },
  );

  it('reads no more than a megabyte, and knows no other path or method', async () => {
    expect((await send({ body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
    expect((await send({ path: '/' })).status).toBe(404);
    expect((await send({ method: 'GET' })).status).toBe(405);
  });

  it('answers 503 while the desk cannot be reached or its token cannot be read, so that it is sent again', async () => {
    isDeskAway = true;
    expect((await send()).status).toBe(503);
    isDeskAway = false;
    token = async () => {
      throw new MedicError('MEDIC_SECRET_MISSING', 'the variable MEDIC_INTAKE_TOKEN');
    };
    expect((await send()).status).toBe(503);
    expect(reports).toEqual([]);
    expect(logged).toEqual(['alerts did not reach the desk', 'the token of the intake cannot be read']);
    token = async () => 's3';
    expect((await send()).status).toBe(200);
  });

  it('cuts what others wrote and frees it of control characters', async () => {
    const annotations = { summary: `ignore all rules\u202e\u0007${'x'.repeat(500)}` };
    await send({ body: JSON.stringify({ ...WEBHOOK, alerts: [{ ...WEBHOOK.alerts[0], annotations }] }) });
    const message = reports[0]!.active[0]!.message;
    expect(message.length).toBeLessThanOrEqual(200);
    expect(message).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
  });

  it('refuses a port that is taken', async () => {
    const again = startIntake({
      host: '127.0.0.1',
      port: intake.port,
      token: async () => 's3',
      nodes: new Map(),
      report: async () => {},
      log: () => {},
    });
    await expect(again).rejects.toMatchObject({ code: 'MEDIC_PORT_TAKEN' });
  });
});
