type Triple = readonly [number, number, number];

/**
 * The version as PD reads it: three parts, an optional `v`, empty counting as 1.0.0.
 *
 * @returns null for anything else
 */
export function parseVersion(text: string): Triple | null {
  if (text === '') return [1, 0, 0];
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text);
  return parts === null ? null : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

/** The lowest of `versions` without its `v`, undefined for none; unreadable ones do not count. */
export function lowestVersion(versions: readonly string[]): string | undefined {
  return sorted(versions)[0]?.join('.');
}

/** PD's rule for a store that wants to join: its major.minor is not below the cluster's. */
export function isCompatible(store: string, cluster: string): boolean {
  const [storeParts, clusterParts] = [parseVersion(store), parseVersion(cluster)];
  if (storeParts === null || clusterParts === null) return false;
  return compare([storeParts[0], storeParts[1], 0], [clusterParts[0], clusterParts[1], 0]) >= 0;
}

function sorted(versions: readonly string[]): Triple[] {
  return versions
    .map(parseVersion)
    .filter((version) => version !== null)
    .sort(compare);
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
