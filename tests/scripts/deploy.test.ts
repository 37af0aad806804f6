import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createMetrics } from '../../src/telemetry/metrics.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly summary: string };
    }[];
  }[];
}

const read = (path: string): unknown => parse(readFileSync(path, 'utf8'), { merge: true });

describe('what is shipped for production', () => {
  it('has alert rules about metrics that Medic has', () => {
    const { registry } = createMetrics({ clock: Date, ticketCounts: async () => ({}) });
    const names = new Set(registry.getMetricsAsArray().map(({ name }) => name));
    const rules = (read('docs/alerts.yaml') as Rules).groups.flatMap(({ rules }) => rules);
    expect(rules.map(({ alert }) => alert)).toEqual(['MedicSeesNothing', 'MedicGone', 'MedicWaitsForPeople']);
    for (const { expr, annotations } of rules) {
      const used = expr.match(/medic_\w+/g) ?? [];
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((name) => !names.has(name))).toEqual([]);
      expect(annotations.summary).not.toBe('');
    }
  });

  it('has a compose file that publishes nothing beyond loopback and holds no password', () => {
    const { services } = read('deploy/temporal/compose.yaml') as {
      services: Record<string, { image: string; ports?: string[]; depends_on?: object }>;
    };
    expect(Object.keys(services)).toEqual(['postgres', 'schema', 'server', 'namespace', 'ui']);
    for (const { image, ports = [], depends_on = {} } of Object.values(services)) {
      expect(image).toMatch(/:\d/);
      expect(ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
      expect(Object.keys(depends_on).every((name) => name in services)).toBe(true);
    }
    expect(JSON.stringify(services)).not.toMatch(/PASSWORD":"(?!\$\{POSTGRES_PASSWORD)/);
  });
});
