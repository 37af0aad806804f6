import { connectLab } from '../../subjects/tikv/lab/labd/client.js';
import { endLab } from '../../subjects/tikv/lab/labd/down.js';
import { launchLab } from '../../subjects/tikv/lab/labd/launch.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import { EXIT } from './exit-codes.js';
import { labDirOf, standaloneLabDir } from './lab-dir.js';
import { printJson, type Screen } from './screen.js';
import { printTable } from './table.js';

const HEALTHY_WITHIN_MS = 45_000;

/** `medic lab up`: a lab of its own that stays until `lab down`. */
export async function labUp(
  options: { readonly home: string; readonly stores: number; readonly profile: ProfileName },
  screen: Screen,
): Promise<number> {
  const dir = standaloneLabDir(options.home);
  const launched = launchLab({ dir, stores: options.stores, profile: options.profile, leash: 'none' });
  const lab = await launched.ready;
  const health = await lab.waitHealthy({ deadlineMs: HEALTHY_WITHIN_MS, leaders: 'anywhere' });
  if (!health.healthy) {
    screen.err(`the lab runs but is not healthy yet: ${health.missing.join('; ')}`);
    return EXIT.findings;
  }
  const { pd, stores } = lab.topology();
  screen.out(
    `lab up: ${pd.length} PD, ${stores.length} stores (stand-in), healthy after ${(health.tookMs / 1000).toFixed(1)} s`,
  );
  screen.out(`PD ${pd.map((p) => p.clientUrl).join(' ')}`);
  return EXIT.ok;
}

/** `medic lab down`: its data stays. A lab that belongs to a running instance ends with it. */
export async function labDown({ home }: { readonly home: string }, screen: Screen): Promise<number> {
  const outcome = await endLab(standaloneLabDir(home));
  screen.out(outcome === 'ended' ? 'lab down' : 'no lab was running');
  return EXIT.ok;
}

/** `medic lab status` */
export async function labStatus(
  options: { readonly home: string; readonly json?: boolean },
  screen: Screen,
): Promise<number> {
  const nodes = await connectLab(labDirOf(options.home)).ps();
  if (options.json) printJson(screen, 'nodes', nodes);
  else printTable(screen, nodeTable(nodes));
  return nodes.every((node) => node.state === 'running') ? EXIT.ok : EXIT.findings;
}

const nodeTable = (nodes: readonly NodeReport[]) => ({
  heads: ['NODE', 'ROLE', 'STATE', 'PID', 'STARTS', 'ADDRESS'],
  rows: nodes.map((n) => [n.name, n.role, stateWords(n), String(n.pid ?? '-'), String(n.starts), n.address]),
});

/** `running`, `exited 137, died` */
function stateWords({ state, exitCode, stoppedByRequest }: NodeReport): string {
  return state === 'exited' ? `exited ${exitCode}, ${stoppedByRequest ? 'stopped by request' : 'died'}` : state;
}
