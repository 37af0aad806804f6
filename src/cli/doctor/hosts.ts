import type { FleetHost, FleetSubject } from '../../config/subject.js';
import { collect, whyNoExit } from '../../host/collect.js';
import type { Host } from '../../host/host.js';
import { createLocalHost } from '../../host/local.js';
import { createSshHost } from '../../host/ssh.js';
import { type Finding, fix, ok, unreachable } from './finding.js';

export interface HostDeps {
  readonly path: string;
  /** Of whoever started this: `ssh` needs its HOME and its agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const WITHIN_MS = 15_000;
const MAX_BYTES = 64 * 1024;

/** What the hosts of a subject let Medic read, one line each. A host without a transport is not asked. */
export const hostFindings = (subject: FleetSubject, deps: HostDeps): Promise<Finding[]> =>
  Promise.all(subject.hosts.map((host) => hostFinding(`${subject.name} host ${host.name}`, host, deps)));

async function hostFinding(check: string, host: FleetHost, deps: HostDeps): Promise<Finding> {
  const way = wayTo(host, deps);
  if (way === null) return ok(check, 'not asked: transport none');
  const request = { command: lookAt(host), timeoutMs: WITHIN_MS, maxBytes: MAX_BYTES };
  const { outcome, output } = await collect(way, request);
  const failure = whyNoExit(outcome);
  if (failure !== null) return unreachable(check, failure);
  return told(check, host, output);
}

function wayTo({ name, address, transport }: FleetHost, { path, env }: HostDeps): Host | null {
  const kept = Object.fromEntries(
    ['HOME', 'USER', 'SSH_AUTH_SOCK'].flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])),
  );
  switch (transport) {
    case 'none':
      return null;
    case 'local':
      return createLocalHost({ name, path });
    case 'ssh':
      return createSshHost({ name, address, from: createLocalHost({ name: 'here', path, env: kept }) });
  }
}

/** Reads only. The names of units were checked with medic.yaml. */
function lookAt({ services }: FleetHost): string {
  const states = services.map(
    (unit) => `echo "unit ${unit} $(systemctl show -p ActiveState --value -- ${unit} 2>/dev/null)"`,
  );
  const [first] = services;
  const journal = first
    ? `journalctl -q -n 1 -u ${first} >/dev/null 2>&1 && echo 'journal yes' || echo 'journal no'`
    : 'true';
  return ['echo "user $(id -un)"', 'echo "manager $(cat /proc/1/comm)"', ...states, journal].join('; ');
}

function told(check: string, { services }: FleetHost, output: string): Finding {
  const word = (of: string) => new RegExp(`^${of} (\\S+)`, 'm').exec(output)?.[1] ?? null;
  const manager = word('manager') ?? 'unknown';
  const states = services.map((unit) => ({ unit, state: word(`unit ${unit.replaceAll('.', '\\.')}`) }));
  const words = [
    `as ${word('user') ?? 'somebody'}`,
    `service manager ${manager}`,
    ...states.map(({ unit, state }) => `${unit} ${state ?? 'unknown'}`),
    ...(services.length > 0 ? [`journal ${word('journal') === 'yes' ? 'readable' : 'not readable'}`] : []),
  ].join(', ');
  if (services.length === 0) return ok(check, words);
  if (manager !== 'systemd') return fix(check, `${words}: units can be read of systemd only`);
  const missing = states.filter(({ state }) => state === null || state === 'inactive').map(({ unit }) => unit);
  if (missing.length > 0) return fix(check, `${words}: is ${missing.join(', ')} the name of a unit there?`);
  return word('journal') === 'yes' ? ok(check, words) : fix(check, `${words}: add the user to systemd-journal`);
}
