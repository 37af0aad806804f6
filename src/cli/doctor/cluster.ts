import { type Discovered, discover } from '../../../subjects/tikv/observe/discover.js';
import { askHttp, type HttpAccess, type HttpOutcome } from '../../../subjects/tikv/observe/http.js';
import { describe } from '../../../subjects/tikv/observe/pd-client.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';
import type { FleetSubject } from '../../config/subject.js';
import type { Reading } from '../../domain/reading.js';
import { type Finding, fix, ok, unreachable, wordsOf } from './finding.js';

export interface ClusterDeps {
  readonly access: (subject: FleetSubject) => Promise<HttpAccess>;
  /** Epoch ms. */
  readonly now: () => number;
}

const { requestMs } = PROFILES.real.watch;

/** Beyond this logs, ages of heartbeats and Medic's own times no longer fit together. */
const CLOCK_TOLERANCE_MS = 2_000;

/** What Medic was held against. Others may well do; the older it is, the less is known. */
const KNOWN = { major: 8, minor: 5 };
const OLDEST = { major: 6, minor: 5 };

/** PD of one subject: can it be read, is it one cluster, has it a quorum, which versions, which time. */
export async function clusterFindings(subject: FleetSubject, deps: ClusterDeps): Promise<Finding[]> {
  const access = await deps.access(subject).catch((error: unknown) => wordsOf(error));
  if (typeof access === 'string') return [fix(`${subject.name} access`, access)];
  const endpoints = await Promise.all(subject.pd.endpoints.map((origin) => lookAt(origin, access, deps.now)));
  const found = await discover({
    endpoints: subject.pd.endpoints,
    access: () => access,
    requestMs,
    clock: deps.now,
    hostNames: new Map(subject.hosts.map(({ name, address }) => [address, name])),
  });
  return [
    endpointsFinding(subject.name, endpoints),
    ...clusterFinding(subject.name, endpoints, found),
    ...(found.known ? await membersFindings(subject.name, found.value, { access, now: deps.now }) : []),
  ];
}

interface Endpoint {
  readonly origin: string;
  readonly outcome: HttpOutcome;
  /** As its list of members names it; `null`: it did not tell. */
  readonly clusterId: string | null;
}

async function lookAt(origin: string, access: HttpAccess, now: () => number): Promise<Endpoint> {
  const outcome = await askHttp({ origin, method: 'GET', path: '/pd/api/v1/members', deadlineMs: requestMs, access });
  const found = await discover({
    endpoints: [origin],
    access: () => access,
    requestMs,
    clock: now,
    hostNames: new Map(),
  });
  return { origin, outcome, clusterId: found.known ? found.value.clusterId : null };
}

function endpointsFinding(name: string, endpoints: readonly Endpoint[]): Finding {
  const check = `${name} endpoints`;
  const words = endpoints.map(({ origin, outcome }) =>
    outcome.kind === 'answered' && outcome.status === 200 ? `${origin} answers` : `${origin}: ${describe(outcome)}`,
  );
  const silent = endpoints.filter(({ outcome }) => outcome.kind !== 'answered');
  return silent.length === 0 ? ok(check, words.join(', ')) : unreachable(check, words.join(', '));
}

function clusterFinding(name: string, endpoints: readonly Endpoint[], found: Reading<Discovered>): Finding[] {
  if (!found.known) return [unreachable(`${name} cluster`, `PD cannot be read: ${found.reason}`)];
  const ids = new Map(endpoints.flatMap(({ origin, clusterId }) => (clusterId === null ? [] : [[origin, clusterId]])));
  if (new Set(ids.values()).size > 1) {
    const words = [...ids].map(([origin, id]) => `${origin} is of ${id}`).join(', ');
    return [fix(`${name} cluster`, `the endpoints are of different clusters: ${words}. Give each its own subject`)];
  }
  const { clusterId, inventory, versions } = found.value;
  const sizes = `${clusterId}, ${inventory.pd.length} members of PD, ${inventory.stores.length} stores`;
  return [ok(`${name} cluster`, sizes), versionFinding(name, versions)];
}

function versionFinding(name: string, { pd, stores }: Discovered['versions']): Finding {
  const check = `${name} versions`;
  const all = [...new Set([...pd, ...stores])];
  const words = `PD ${pd.join(', ')}, TiKV ${stores.join(', ') || 'unknown'}`;
  const old = all.filter((version) => isBefore(version, OLDEST));
  if (old.length > 0) return fix(check, `${words}: older than anything Medic was made for (v6.5)`);
  if (isMixed(pd, stores)) return fix(check, `${words}: finish the upgrade, or expect its restarts in tickets`);
  const isKnown = all.every((version) => !isBefore(version, KNOWN) && version.startsWith(`v${KNOWN.major}.`));
  return ok(check, isKnown ? words : `${words}, which was not tried (Medic is held against v8.5)`);
}

/** Patches of PD and TiKV may differ; within one of them, or by more than a patch, an upgrade is not finished. */
function isMixed(pd: readonly string[], stores: readonly string[]): boolean {
  const minors = new Set([...pd, ...stores].map((version) => /^v\d+\.\d+/.exec(version)?.[0] ?? version));
  return pd.length > 1 || stores.length > 1 || minors.size > 1;
}

function isBefore(version: string, { major, minor }: typeof KNOWN): boolean {
  const [, x, y] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return x !== undefined && (Number(x) < major || (Number(x) === major && Number(y) < minor));
}

interface Reached {
  readonly access: HttpAccess;
  readonly now: () => number;
}

async function membersFindings(name: string, { inventory }: Discovered, reached: Reached): Promise<Finding[]> {
  const looks = await Promise.all(inventory.pd.map((member) => lookAtHealth(member, reached)));
  return [quorumFinding(name, looks), clockFinding(name, looks)];
}

interface Health {
  readonly name: string;
  readonly outcome: HttpOutcome;
  /** Its clock minus ours, estimated; `null`: it told no time. */
  readonly offsetMs: number | null;
}

async function lookAtHealth(
  { name, clientUrl }: Discovered['inventory']['pd'][number],
  { access, now }: Reached,
): Promise<Health> {
  const began = now();
  const outcome = await askHttp({ origin: clientUrl, method: 'GET', path: '/health', deadlineMs: requestMs, access });
  return { name, outcome, offsetMs: outcome.kind === 'answered' ? offsetOf(outcome.date, (began + now()) / 2) : null };
}

/** `Date` is cut to whole seconds: half of one is added, which is then as much as it may be wrong. */
function offsetOf(date: string | undefined, middle: number): number | null {
  const said = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(said) ? null : Math.round(said + 500 - middle);
}

function quorumFinding(name: string, looks: readonly Health[]): Finding {
  const check = `${name} PD quorum`;
  const bad = looks.filter(({ outcome }) => outcome.kind !== 'answered' || outcome.status !== 200);
  const words = bad.map(({ name: member, outcome }) => `${member}: ${describe(outcome)}`).join(', ');
  const well = looks.length - bad.length;
  if (bad.length === 0) return ok(check, `${well} of ${looks.length} members see it`);
  const seen = `${well} of ${looks.length} members see it; ${words}`;
  return bad.some(({ outcome }) => outcome.kind === 'answered') ? fix(check, seen) : unreachable(check, seen);
}

function clockFinding(name: string, looks: readonly Health[]): Finding {
  const check = `${name} clocks`;
  const told = looks.flatMap(({ name: member, offsetMs }) => (offsetMs === null ? [] : [{ member, offsetMs }]));
  if (told.length === 0) return unreachable(check, 'no member told its time');
  const words = told
    .map(({ member, offsetMs }) => `${member} ${offsetMs < 0 ? '-' : '+'}${(Math.abs(offsetMs) / 1_000).toFixed(1)} s`)
    .join(', ');
  const seen = `${words} to this machine (an estimate, ±0.5 s)`;
  const isOff = told.some(({ offsetMs }) => Math.abs(offsetMs) > CLOCK_TOLERANCE_MS);
  return isOff ? fix(check, `${seen}: look at the time service of both`) : ok(check, seen);
}
