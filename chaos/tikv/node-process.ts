import { randomUUID } from 'node:crypto';
import { MedicError } from '../../src/domain/errors.js';
import { isAlive, lookAtProcess, type ProcessIdentity } from '../../subjects/tikv/lab/labd/process-look.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import { openOwnLab } from '../own-lab.js';
import type { ChaosLab, Injection, Support } from '../protocol.js';

/** The process of a node at the moment of the injection, and where to ask whether its node answers. */
export interface NodeProcessDetail {
  readonly process: ProcessIdentity;
  /** Answers 200 when the node serves: a store's status port, a PD member's health. */
  readonly probeUrl: string;
  /** The port behind it, in words: `status port`. */
  readonly port: string;
}

type OnNode = Injection<NodeProcessDetail>;

/** Everything of an injection but the harm. */
export const injectionOn = (fault: string, node: NodeReport, { lab, labId }: ChaosLab): OnNode => ({
  id: `${fault}-${randomUUID().slice(0, 8)}`,
  fault,
  target: node.name,
  labId,
  labDir: lab.dir,
  at: new Date().toISOString(),
  detail: {
    process: processOf(node),
    probeUrl: probeUrlOf(node),
    port: node.role === 'pd' ? 'client port' : 'status port',
  },
});

/** Faults on processes need to know a process for good, which takes the kernel's start times. */
export async function supportsProcesses({ lab }: ChaosLab, role: NodeReport['role']): Promise<Support> {
  const nodes = (await lab.ps()).filter((node) => node.role === role && node.state === 'running');
  if (nodes.length === 0) return { supported: false, reason: `no ${role === 'pd' ? 'PD member' : 'store'} runs` };
  if (nodes.every(({ processStart }) => processStart !== null)) return { supported: true };
  return { supported: false, reason: 'this system does not tell when a process started (no /proc)' };
}

/**
 * `process`: what became of the one that was hit; `unknown` also for another lab in the same folder. `port`: whether the
 * node answers.
 */
export interface Seen {
  readonly process: 'running' | 'stopped' | 'dead' | 'replaced' | 'unknown';
  readonly port: 'answers' | 'refused' | 'silent';
}

export async function lookAtNode(injection: OnNode): Promise<Seen> {
  const node = await nodeOf(injection);
  const port = await portOf(node ? probeUrlOf(node) : injection.detail.probeUrl);
  if (node === undefined) return { process: 'unknown', port };
  const now = node.state === 'exited' ? undefined : processOf(node);
  if (now === undefined) return { process: 'dead', port };
  return { process: isSame(now, injection.detail.process) ? stateOf(now) : 'replaced', port };
}

/** labd learns of an end a moment after the kernel. */
function stateOf(process: ProcessIdentity): 'running' | 'stopped' | 'dead' {
  if (!isAlive(process)) return 'dead';
  return lookAtProcess(process.pid)?.state === 'T' ? 'stopped' : 'running';
}

async function nodeOf({ labDir, labId, target }: OnNode): Promise<NodeReport | undefined> {
  try {
    const own = await openOwnLab(labDir);
    return own.labId === labId ? await own.lab.inspect(target) : undefined;
  } catch (error) {
    if (error instanceof MedicError) return undefined;
    throw error;
  }
}

const PROBE_MS = 1_000;

async function portOf(url: string): Promise<Seen['port']> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
    return ok ? 'answers' : 'silent';
  } catch (error) {
    return (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ECONNREFUSED' ? 'refused' : 'silent';
  }
}

const probeUrlOf = ({ role, clientUrl, statusAddress }: NodeReport): string =>
  role === 'pd' ? `${clientUrl}/health` : `http://${statusAddress}/status`;

function processOf({ name, pid, processStart }: NodeReport): ProcessIdentity {
  if (pid !== null && processStart !== null) return { pid, start: processStart };
  throw new MedicError('MEDIC_CHAOS_TARGET', `labd does not name the process of ${name}`);
}

const isSame = (a: ProcessIdentity, b: ProcessIdentity): boolean => a.pid === b.pid && a.start === b.start;

/** `tikv-1 (pid 7) is dead; its status port refuses connections` */
export function seenWords({ target, detail }: OnNode, { process, port }: Seen): string {
  const { pid } = detail.process;
  const what = {
    running: `${target} still runs as pid ${pid}`,
    stopped: `${target} (pid ${pid}) is stopped`,
    dead: `${target} (pid ${pid}) is dead`,
    replaced: `${target} runs as another process than pid ${pid}`,
    unknown: `the lab in which ${target} was hit cannot be asked`,
  }[process];
  return `${what}; its ${detail.port} ${port === 'silent' ? 'is silent' : port === 'refused' ? 'refuses connections' : 'answers'}`;
}

const LOOK_EVERY_MS = 50;

/** Looks until `is` holds or the time is over; the last look. */
export async function lookUntil(injection: OnNode, is: (seen: Seen) => boolean, withinMs: number): Promise<Seen> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await lookAtNode(injection);
    if (is(seen) || performance.now() >= end) return seen;
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
}

/** Starts a node that was killed, unless somebody did. */
export async function startAgain(injection: OnNode) {
  const before = await lookAtNode(injection);
  if (before.process === 'replaced') return { outcome: 'nothing-to-do', seen: seenWords(injection, before) } as const;
  if (before.process !== 'dead') throw cannotHeal(injection, before);
  const { lab } = await openOwnLab(injection.labDir);
  const { outcome, node } = await lab.start(injection.target);
  const seen = `${node.name} runs as pid ${node.pid}`;
  return { outcome: outcome === 'started' ? 'healed' : 'nothing-to-do', seen } as const;
}

export const cannotHeal = (injection: OnNode, seen: Seen): MedicError =>
  new MedicError(
    'MEDIC_CHAOS_TARGET',
    `cannot heal: ${seenWords(injection, seen)}`,
    'Look at the lab with `labctl ps`.',
  );
