import type { StoreSight, Survey } from './survey.js';

/** Levels further up weigh so much more each (PD: `replicaBaseScore`). */
const BASE = 100;

/** The labels that tell places apart, the widest first (PD: `location-labels`). */
export function locationLabels({ replication }: Survey): readonly string[] {
  return String(replication['location-labels'])
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}

/** How far `store` is from `others`: the wider the first label that differs, the more (PD: `core.DistinctScore`). */
export function distance(labels: readonly string[], store: StoreSight, others: readonly StoreSight[]): number {
  const levels = others
    .filter(({ id }) => id !== store.id)
    .map((other) => firstDifference(labels, store, other))
    .filter((level) => level !== -1);
  return levels.reduce((sum, level) => sum + BASE ** (labels.length - level - 1), 0);
}

/** How far the stores are from each other. */
export function spread(labels: readonly string[], stores: readonly StoreSight[]): number {
  return stores.reduce((sum, store, index) => sum + distance(labels, store, stores.slice(0, index)), 0);
}

/** Would `store` share a place of the level that must not be shared (PD: `isolation-level`)? */
export function breaksIsolation(
  store: StoreSight,
  { survey, others }: { readonly survey: Survey; readonly others: readonly StoreSight[] },
): boolean {
  const labels = locationLabels(survey);
  const level = labels.indexOf(String(survey.replication['isolation-level']));
  if (level === -1) return false;
  const place = (each: StoreSight) =>
    labels
      .slice(0, level + 1)
      .map((label) => labelOf(each, label))
      .join('/');
  return others.some((other) => other.id !== store.id && place(other) === place(store));
}

/** -1 for the same place. A label that is not set does not differ. */
function firstDifference(labels: readonly string[], a: StoreSight, b: StoreSight): number {
  return labels.findIndex((label) => {
    const [left, right] = [labelOf(a, label), labelOf(b, label)];
    return left !== '' && right !== '' && left !== right;
  });
}

function labelOf({ meta }: StoreSight, label: string): string {
  return meta.labels.find(({ key }) => key === label)?.value.toLowerCase() ?? '';
}
