import type { Instant, Target } from './ids.js';
import { fingerprint, type Severity, type Violation } from './violation.js';

/** One alert of a monitoring system that is not ours. */
export interface Alert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  /** What it says of itself, in one line. */
  readonly text: string;
  readonly since: Instant;
}

/** What is said of one subject: everything that fires, and the fingerprints of what is over. */
export interface AlertReport {
  readonly subject: string;
  readonly active: readonly Violation[];
  readonly cleared: readonly string[];
}

export interface SortedAlerts {
  readonly reports: readonly AlertReport[];
  /** Alerts that file nothing, and why. */
  readonly ignored: readonly { readonly alert: string; readonly why: string }[];
}

/** The subjects of a worker with a way to tell which of their nodes an address is; `null`: none of them. */
export type NodesOf = ReadonlyMap<string, (address: string) => Target | null>;

/** Labels that may name a node; the first that does counts. */
const TARGET_LABELS = ['medic_target', 'instance', 'address', 'store'] as const;
const SUBJECT_LABELS = ['medic_subject', 'cluster', 'tidb_cluster'] as const;
/** By the labels `severity` and `level`. What is not listed is `medium`. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  emergency: 'critical',
  critical: 'critical',
  page: 'critical',
  error: 'high',
  high: 'high',
  major: 'high',
  info: 'info',
  none: 'info',
  debug: 'info',
};

/**
 * Turns alerts into violations with fingerprints of our own: subject, name and node. Those of the monitoring system change
 * with every label that somebody adds. An alert that fires on one of several things of a node is over when it is over on
 * all that are told together.
 */
export function sortAlerts(alerts: readonly Alert[], nodes: NodesOf): SortedAlerts {
  const ignored: { alert: string; why: string }[] = [];
  const told = new Map<string, { active: Map<string, Violation>; over: Set<string> }>();
  for (const alert of alerts) {
    const subject = subjectFor(alert, nodes);
    const why =
      subject === null ? `no subject here is meant; there are ${[...nodes.keys()].join(', ')}` : tooSlight(alert);
    if (subject === null || why !== null) {
      ignored.push({ alert: nameOf(alert), why: why ?? '' });
      continue;
    }
    const of = told.get(subject) ?? { active: new Map(), over: new Set() };
    told.set(subject, of);
    const violation = violationOf(alert, subject, nodes.get(subject) ?? (() => null));
    if (alert.status === 'resolved') of.over.add(violation.fingerprint);
    else if (!of.active.has(violation.fingerprint)) of.active.set(violation.fingerprint, violation);
  }
  const reports = [...told].map(([subject, { active, over }]) => ({
    subject,
    active: [...active.values()],
    cleared: [...over].filter((print) => !active.has(print)),
  }));
  return { reports, ignored };
}

function subjectFor({ labels }: Alert, nodes: NodesOf): string | null {
  const named = SUBJECT_LABELS.map((label) => labels[label]).find((name) => name !== undefined && nodes.has(name));
  if (named !== undefined) return named;
  // A name that was given and is not ours is somebody else's cluster.
  if (labels.medic_subject !== undefined) return null;
  const [only] = nodes.keys();
  return nodes.size === 1 ? (only ?? null) : null;
}

const severityOf = ({ labels: { severity, level } }: Alert): Severity =>
  SEVERITIES[(severity ?? level ?? '').toLowerCase()] ?? 'medium';

/** What informs only files no ticket; that it is over is heard all the same. */
const tooSlight = (alert: Alert): string | null =>
  alert.status === 'firing' && severityOf(alert) === 'info' ? 'its severity only informs' : null;

const nameOf = ({ labels }: Alert): string => labels.alertname ?? 'unnamed';

function violationOf(alert: Alert, subject: string, nodeAt: (address: string) => Target | null): Violation {
  const given = TARGET_LABELS.flatMap((label) => alert.labels[label] ?? []);
  const target = given.map(nodeAt).find((node) => node !== null) ?? null;
  const invariant = `alert:${nameOf(alert)}`;
  return {
    invariant,
    target,
    severity: severityOf(alert),
    message: alert.text,
    fingerprint: fingerprint(subject, invariant, target ?? given[0] ?? null),
    since: alert.since,
  };
}
