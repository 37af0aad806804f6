import { goFloat } from './go-format.js';

export type MetricType = 'gauge' | 'counter';

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric with all its samples. */
export interface Family {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A metric with one sample and no labels. */
export function single(name: string, type: MetricType, help: string, value: number): Family {
  return { name, type, help, samples: [{ labels: {}, value }] };
}

/** A gauge with one label `type`, as PD likes them. */
export function byType(name: string, help: string, values: Readonly<Record<string, number>>): Family {
  const samples = Object.entries(values).map(([type, value]) => ({ labels: { type }, value }));
  return { name, type: 'gauge', help, samples };
}

/** Prometheus' text format, families by name; those without samples are left out, as Go's client does. */
export function exposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(familyText)
    .join('');
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${goFloat(value)}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '' : `{${pairs.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}}`;
}
