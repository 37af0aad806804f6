import { randomUUID } from 'node:crypto';
import { MedicError } from '../../src/domain/errors.js';
import { isAlive, type ProcessIdentity, signalProcess } from '../../subjects/tikv/lab/labd/process-look.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import { openOwnLab } from '../own-lab.js';
import type { ChaosLab, Confirmation, Fault, Healing, Injection, Support, Truth } from '../protocol.js';
import { leadersByStore } from './leaders.js';
import { chooseStore } from './target.js';

/** What was killed. */
export interface NodeKillDetail {
  readonly process: ProcessIdentity;
  readonly statusAddress: string;
}

type Kill = Injection<NodeKillDetail>;

/**
 * A store's process is ended with SIGKILL, directly and not by labctl, so it counts as died and nothing was asked for.
 * It stays dead until somebody starts it.
 */
export const nodeKill: Fault<NodeKillDetail> = {
  name: 'node_kill',
  describe: "A store's process is killed with SIGKILL and stays dead until somebody starts it.",
  targets: 'store',
  supports,
  inject,
  confirm,
  truth,
  heal,
};

async function supports({ lab }: ChaosLab): Promise<Support> {
  const stores = (await lab.ps()).filter(({ role, state }) => role === 'store' && state === 'running');
  if (stores.length === 0) return { supported: false, reason: 'no store runs' };
  const nameless = stores.some(({ processStart }) => processStart === null);
  return nameless
    ? { supported: false, reason: 'this system does not tell when a process started (no /proc)' }
    : { supported: true };
}

async function inject({
  lab: { lab, labId },
  target,
  record,
}: Parameters<Fault<NodeKillDetail>['inject']>[0]): Promise<Kill> {
  const store = await chooseStore({
    wish: target,
    nodes: await lab.ps(),
    leaders: () => leadersByStore(lab.topology()),
  });
  const injection: Kill = {
    id: `node_kill-${randomUUID().slice(0, 8)}`,
    fault: 'node_kill',
    target: store.name,
    labId,
    labDir: lab.dir,
    at: new Date().toISOString(),
    detail: { process: processOf(store), statusAddress: store.statusAddress ?? '' },
  };
  record(injection);
  if (signalProcess(injection.detail.process, 'SIGKILL') === 'sent') return injection;
  throw new MedicError('MEDIC_CHAOS_TARGET', `${store.name} ended by itself before it could be killed`);
}

const CONFIRM_MS = 3_000;
const LOOK_EVERY_MS = 50;

async function confirm(injection: Kill): Promise<Confirmation> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const seen = await look(injection);
    const confirmed = seen.labd === 'dead' && seen.port === 'refused';
    if (confirmed || waitedMs >= CONFIRM_MS) return { confirmed, seen: words(injection, seen) };
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
}

async function truth(injection: Kill): Promise<Truth> {
  const { labd, port } = await look(injection);
  if (labd === 'unknown') return 'unknown';
  return labd === 'replaced' && port === 'answers' ? 'gone' : 'present';
}

async function heal(injection: Kill): Promise<Healing> {
  const before = await look(injection);
  if (before.labd === 'replaced') return { outcome: 'nothing-to-do', seen: words(injection, before) };
  if (before.labd !== 'dead')
    throw new MedicError(
      'MEDIC_CHAOS_TARGET',
      `cannot heal: ${words(injection, before)}`,
      'Look at the lab with `labctl ps`.',
    );
  const { lab } = await openOwnLab(injection.labDir);
  const { outcome, node } = await lab.start(injection.target);
  return { outcome: outcome === 'started' ? 'healed' : 'nothing-to-do', seen: `${node.name} runs as pid ${node.pid}` };
}

/**
 * `labd`: what it says of the killed process; `unknown` also for another lab in the same folder. `port`: whether the
 * status port answers.
 */
interface Seen {
  readonly labd: 'same-process' | 'dead' | 'replaced' | 'unknown';
  readonly port: 'answers' | 'refused' | 'silent';
}

async function look(injection: Kill): Promise<Seen> {
  const node = await nodeOf(injection);
  const port = await portOf(node?.statusAddress ?? injection.detail.statusAddress);
  if (node === undefined) return { labd: 'unknown', port };
  const now = node.state === 'exited' ? undefined : processOf(node);
  if (now === undefined) return { labd: 'dead', port };
  return { labd: isSame(now, injection.detail.process) ? sameProcess(now) : 'replaced', port };
}

/** labd learns of an end a moment after the kernel. */
function sameProcess(process: ProcessIdentity): 'same-process' | 'dead' {
  return isAlive(process) ? 'same-process' : 'dead';
}

async function nodeOf({ labDir, labId, target }: Kill): Promise<NodeReport | undefined> {
  try {
    const own = await openOwnLab(labDir);
    return own.labId === labId ? await own.lab.inspect(target) : undefined;
  } catch (error) {
    if (error instanceof MedicError) return undefined;
    throw error;
  }
}

const STATUS_MS = 1_000;

async function portOf(address: string): Promise<Seen['port']> {
  try {
    const { ok } = await fetch(`http://${address}/status`, { signal: AbortSignal.timeout(STATUS_MS) });
    return ok ? 'answers' : 'silent';
  } catch (error) {
    return (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ECONNREFUSED' ? 'refused' : 'silent';
  }
}

function processOf({ name, pid, processStart }: NodeReport): ProcessIdentity {
  if (pid !== null && processStart !== null) return { pid, start: processStart };
  throw new MedicError('MEDIC_CHAOS_TARGET', `labd does not name the process of ${name}`);
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start;
}

function words({ target, detail }: Kill, { labd, port }: Seen): string {
  const process = {
    'same-process': `${target} still runs as pid ${detail.process.pid}`,
    dead: `${target} (pid ${detail.process.pid}) is dead`,
    replaced: `${target} runs as another process than pid ${detail.process.pid}`,
    unknown: `the lab in which ${target} was killed cannot be asked`,
  }[labd];
  return `${process}; its status port ${port === 'silent' ? 'is silent' : port === 'refused' ? 'refuses connections' : 'answers'}`;
}
