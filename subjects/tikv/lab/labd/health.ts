import type { LabTopology } from './topology.js';

/** What counts as healthy, and for how long to wait. */
export interface HealthWish {
  readonly deadlineMs: number;
  /**
   * `spread` (default): every store leads some region and none leads half of them, as the seed layout has it.
   * `anywhere`: after a store was lost, since nothing moves leaders back.
   */
  readonly leaders?: 'spread' | 'anywhere';
}

/** Healthy, or what was missing at the deadline, in words. */
export type HealthAnswer =
  | { readonly healthy: true; readonly tookMs: number }
  | { readonly healthy: false; readonly tookMs: number; readonly missing: readonly string[] };

/** Asks PD until all is well or the deadline passes. */
export type HealthWait = (wish: HealthWish) => Promise<HealthAnswer>;

/** Where PD is and how much there must be. Read at each look, as ports may move when labd restarts. */
export interface HealthSource {
  readonly topology: () => LabTopology;
  readonly regions: () => number;
}

const LOOK_EVERY_MS = 200;
const REQUEST_MS = 1_000;

/** A wait on the cluster behind `source`. */
export function createHealthWait({ topology, regions }: HealthSource): HealthWait {
  return async ({ deadlineMs, leaders = 'spread' }) => {
    const begun = performance.now();
    const tookMs = () => Math.round(performance.now() - begun);
    for (;;) {
      const missing = await whatIsMissing({ topology: topology(), regions: regions(), leaders });
      if (missing.length === 0) return { healthy: true, tookMs: tookMs() };
      if (tookMs() >= deadlineMs) return { healthy: false, tookMs: tookMs(), missing };
      await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
    }
  };
}

interface Expected {
  readonly topology: LabTopology;
  readonly regions: number;
  readonly leaders: 'spread' | 'anywhere';
}

async function whatIsMissing({ topology, regions, leaders }: Expected): Promise<string[]> {
  const answers = await Promise.all(
    topology.pd.map(async ({ name, clientUrl }) => ({ name, answer: await read(`${clientUrl}/pd/api/v1/health`) })),
  );
  const silent = answers
    .filter(({ answer }) => typeof answer === 'string')
    .map(({ name, answer }) => `${name}: ${answer}`);
  if (silent.length > 0) return silent;
  const url = `${topology.pd[0]?.clientUrl}/pd/api/v1`;
  const [members, stores, list] = await Promise.all([
    read(`${url}/health`),
    read(`${url}/stores`),
    read(`${url}/regions`),
  ]);
  return [
    ...missingMembers(members, topology.pd.length),
    ...missingStores(stores, topology.stores.length),
    ...missingRegions(list, regions),
    ...(leaders === 'spread' ? missingSpread(list, topology.stores.length) : []),
  ];
}

/** Only the fields that are looked at; all numbers in them are small, so plain JSON does. */
interface Member {
  readonly name: string;
  readonly health: boolean;
}
interface StoreList {
  readonly stores?: readonly { readonly store: { readonly id: number; readonly state_name: string } }[];
}
interface Region {
  readonly id: number;
  readonly peers?: readonly unknown[];
  readonly leader?: { readonly store_id?: number };
  readonly pending_peers?: readonly unknown[];
  readonly down_peers?: readonly unknown[];
}
interface RegionList {
  readonly regions?: readonly Region[];
}

const VOTERS = 3;

function missingMembers(answer: unknown, want: number): string[] {
  if (typeof answer === 'string') return [answer];
  const healthy = (answer as readonly Member[]).filter(({ health }) => health);
  return healthy.length >= want ? [] : [`${healthy.length} of ${want} PDs healthy`];
}

function missingStores(answer: unknown, want: number): string[] {
  if (typeof answer === 'string') return [answer];
  const states = ((answer as StoreList).stores ?? []).map(({ store }) => store.state_name);
  const up = states.filter((state) => state === 'Up').length;
  return up === want ? [] : [`${up} of ${want} stores Up (${states.join(', ') || 'none known'})`];
}

function missingRegions(answer: unknown, want: number): string[] {
  if (typeof answer === 'string') return [answer];
  const regions = (answer as RegionList).regions ?? [];
  const lacks = {
    'without a leader': regions.filter((region) => leaderOf(region) === 0),
    [`without ${VOTERS} peers`]: regions.filter(({ peers }) => peers?.length !== VOTERS),
    'with a pending peer': regions.filter(({ pending_peers }) => (pending_peers ?? []).length > 0),
    'with a down peer': regions.filter(({ down_peers }) => (down_peers ?? []).length > 0),
  };
  return [
    ...(regions.length === want ? [] : [`${regions.length} of ${want} regions`]),
    ...Object.entries(lacks).flatMap(([what, which]) => (which.length > 0 ? [`${which.length} regions ${what}`] : [])),
  ];
}

function missingSpread(answer: unknown, stores: number): string[] {
  if (typeof answer === 'string') return [];
  const regions = (answer as RegionList).regions ?? [];
  const counts = new Map<number, number>();
  for (const store of regions.map(leaderOf)) counts.set(store, (counts.get(store) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (counts.size >= stores && most * 2 < regions.length) return [];
  return [
    `leaders not spread: ${[...counts].map(([store, count]) => `${count} on store ${store}`).join(', ') || 'none'}`,
  ];
}

function leaderOf({ leader }: Region): number {
  return leader?.store_id ?? 0;
}

/** The JSON of a 200, or in words why there is none. */
async function read(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) });
    return response.ok ? await response.json() : `${url} answers ${response.status} ${(await response.text()).trim()}`;
  } catch (error) {
    return `${url} does not answer (${errorText(error)})`;
  }
}

function errorText(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? message;
}
