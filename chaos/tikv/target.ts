import { createHash } from 'node:crypto';
import { MedicError } from '../../src/domain/errors.js';
import type { NodeReport } from '../../subjects/tikv/lab/labd/report.js';
import type { TargetWish } from '../protocol.js';

/** What a choice is made from. */
export interface TargetChoice {
  readonly wish: TargetWish;
  /** All nodes of the lab. */
  readonly nodes: readonly NodeReport[];
  /** Leaders by store name, as PD counts them; asked only when the wish needs it. */
  readonly leaders: () => Promise<ReadonlyMap<string, number>>;
}

/**
 * The running store to hit.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` when it does not run, is no store, or none runs at all
 */
export async function chooseStore({ wish, nodes, leaders }: TargetChoice): Promise<NodeReport> {
  const running = nodes.filter(({ role, state }) => role === 'store' && state === 'running');
  const found =
    wish.pick === 'named' ? running.find(({ name }) => name === wish.name) : await pick({ wish, running, leaders });
  if (found) return found;
  const what = wish.pick === 'named' ? `${wish.name} is no running store` : 'no store runs';
  throw new MedicError(
    'MEDIC_CHAOS_TARGET',
    `${what}; running: ${running.map(({ name }) => name).join(', ') || 'none'}`,
  );
}

interface Pick {
  readonly wish: Exclude<TargetWish, { pick: 'named' }>;
  readonly running: readonly NodeReport[];
  readonly leaders: TargetChoice['leaders'];
}

async function pick({ wish, running, leaders }: Pick): Promise<NodeReport | undefined> {
  if (wish.pick === 'seeded') return best(running, ({ name }) => draw(wish.seed, name));
  const counts = await leaders();
  return best(running, ({ name }) => counts.get(name) ?? 0);
}

/** The node with the highest value; of equals the first by name, so that a choice can be repeated. */
function best(nodes: readonly NodeReport[], rank: (node: NodeReport) => number): NodeReport | undefined {
  const byName = [...nodes].sort((a, b) => a.name.localeCompare(b.name));
  return byName.reduce<NodeReport | undefined>((top, node) => (top && rank(top) >= rank(node) ? top : node), undefined);
}

/** Each store draws a number by seed and name, so a store that is gone changes the choice only if it was the choice. */
function draw(seed: number, name: string): number {
  return createHash('sha256').update(`${seed}/${name}`).digest().readUInt32BE(0);
}
