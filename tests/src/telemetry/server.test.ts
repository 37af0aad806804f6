import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createMetrics, type MetricsOptions } from '../../../src/telemetry/metrics.js';
import { type Health, startTelemetryServer, type TelemetryServer } from '../../../src/telemetry/server.js';

const NOON = Date.parse('2026-01-02T12:00:00.000Z');

interface Served {
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly server: TelemetryServer;
  readonly scrape: () => Promise<string>;
  readonly clock: { ms: number };
  health: Health;
}

/** Runs `use` with a real server on a free port. */
async function served(use: (it: Served) => Promise<void>, options: Partial<MetricsOptions> = {}): Promise<void> {
  const clock = { ms: NOON };
  const metrics = createMetrics({ clock: { now: () => clock.ms }, ticketCounts: async () => ({}), ...options });
  const box = { health: { status: 'ok' } as Health };
  const server = await startTelemetryServer({ registry: metrics.registry, port: 0, health: () => box.health });
  const scrape = async () => (await fetch(`${server.url}/metrics`)).text();
  try {
    await use(Object.assign(box, { metrics, server, scrape, clock }));
  } finally {
    await server.close();
  }
}

describe('the metrics endpoint', () => {
  it('answers in the form of Prometheus', () =>
    served(async ({ server }) => {
      const response = await fetch(`${server.url}/metrics`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    }));

  it('counts moves, rulings, looks, acts and reports', () =>
    served(async ({ metrics, scrape }) => {
      metrics.ticketMoved({ subject: 'tikv', to: 'investigating' });
      metrics.ticketMoved({ subject: 'tikv', to: 'investigating' });
      metrics.ruled('pre-approved');
      metrics.looked();
      metrics.acted('unknown');
      metrics.reported();
      const text = await scrape();
      expect(text).toContain('medic_ticket_moves_total{subject="tikv",to="investigating"} 2\n');
      expect(text).toContain('medic_rulings_total{kind="pre-approved"} 1\n');
      expect(text).toContain('medic_looks_total 1\n');
      expect(text).toContain('medic_acts_total{outcome="unknown"} 1\n');
      expect(text).toContain('medic_reports_total 1\n');
    }));

  it('sorts the times to detect, repair and prove into buckets of seconds', () =>
    served(async ({ metrics, scrape }) => {
      metrics.took({ subject: 'tikv', what: 'detect', ms: 3_200 });
      metrics.took({ subject: 'tikv', what: 'prove', ms: 14_900 });
      const text = await scrape();
      expect(text).toContain('medic_seconds_to_detect_bucket{le="2",subject="tikv"} 0\n');
      expect(text).toContain('medic_seconds_to_detect_bucket{le="4",subject="tikv"} 1\n');
      expect(text).toContain('medic_seconds_to_prove_sum{subject="tikv"} 14.9\n');
      expect(text).not.toContain('medic_seconds_to_repair_count{');
    }));

  it('tells the age of the last observation at the time of the scrape', () =>
    served(async ({ metrics, scrape, clock }) => {
      metrics.observed({ subject: 'tikv', at: new Date(NOON).toISOString() });
      metrics.observed({ subject: 'tikv', at: new Date(NOON - 60_000).toISOString() });
      clock.ms = NOON + 1_500;
      expect(await scrape()).toContain('medic_last_observation_age_seconds{subject="tikv"} 1.5\n');
      clock.ms = NOON + 90_000;
      expect(await scrape()).toContain('medic_last_observation_age_seconds{subject="tikv"} 90\n');
    }));

  it('asks for the tickets at each scrape', async () => {
    const counts: { verifying: number }[] = [{ verifying: 2 }, { verifying: 1 }];
    await served(
      async ({ scrape }) => {
        expect(await scrape()).toContain('medic_tickets{phase="verifying"} 2\n');
        const second = await scrape();
        expect(second).toContain('medic_tickets{phase="verifying"} 1\n');
        expect(second).toContain('medic_tickets{phase="escalated"} 0\n');
      },
      { ticketCounts: async () => counts.shift() ?? {} },
    );
  });

  it('leaves the tickets out, rather than showing none, when they cannot be counted', async () => {
    const answers = [
      async () => ({ filed: 1 }),
      () => Promise.reject(new Error('no server')),
      () => new Promise<never>(() => {}),
    ];
    await served(
      async ({ scrape }) => {
        expect(await scrape()).toContain('medic_tickets{');
        expect(await scrape()).not.toContain('medic_tickets{');
        expect(await scrape()).not.toContain('medic_tickets{');
        expect(answers).toHaveLength(0);
      },
      { ticketCounts: () => (answers.shift() ?? (async () => ({})))(), ticketCountsWithinMs: 50 },
    );
  });

  it('stays bounded when subjects come without end', () =>
    served(async ({ metrics, scrape }) => {
      for (let i = 0; i < 500; i++) metrics.ticketMoved({ subject: `s${i}`, to: 'filed' });
      const series = (await scrape()).match(/^medic_ticket_moves_total\{/gm) ?? [];
      expect(series).toHaveLength(51);
      expect(await scrape()).toContain('medic_ticket_moves_total{subject="other",to="filed"} 450\n');
    }));
});

describe('the health endpoint', () => {
  it('answers 200 while all is well and 503 with the reason otherwise', () =>
    served(async (it) => {
      const ask = async () => {
        const response = await fetch(`${it.server.url}/healthz`);
        return { status: response.status, body: await response.json() };
      };
      expect(await ask()).toEqual({ status: 200, body: { status: 'ok' } });
      it.health = { status: 'failing', reason: 'no connection to Temporal for 40 s' };
      expect(await ask()).toEqual({
        status: 503,
        body: { status: 'failing', reason: 'no connection to Temporal for 40 s' },
      });
    }));
});

describe('the telemetry server', () => {
  it('listens on loopback only', () =>
    served(async ({ server }) => {
      expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
      await expect(fetch(`http://[::1]:${server.port}/healthz`)).rejects.toThrow();
    }));

  it('knows no other paths and takes nothing', () =>
    served(async ({ server }) => {
      expect((await fetch(`${server.url}/`)).status).toBe(404);
      expect((await fetch(`${server.url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
      const head = await fetch(`${server.url}/metrics`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }));

  it('refuses a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
      const metrics = createMetrics({ clock: Date, ticketCounts: async () => ({}) });
      await expect(
        startTelemetryServer({ registry: metrics.registry, port, health: () => ({ status: 'ok' }) }),
      ).rejects.toMatchObject({
        code: 'MEDIC_PORT_TAKEN',
        message: `port ${port} on 127.0.0.1 is in use`,
      });
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('ends at once although a client keeps its connection open', async () => {
    const metrics = createMetrics({ clock: Date, ticketCounts: async () => ({}) });
    const server = await startTelemetryServer({
      registry: metrics.registry,
      port: 0,
      health: () => ({ status: 'ok' }),
    });
    await (await fetch(`${server.url}/healthz`)).text();
    await server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });
});
