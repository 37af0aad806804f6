import type { ProfileName } from '../../profiles.js';
import type { NodeRole } from './report.js';
import type { LabShape, NodePlan } from './topology.js';

/** The script that runs a node, by role. Tests put their own here. */
export type NodeScripts = Readonly<Record<NodeRole, string>>;

/** What a start line is made of. */
export interface StartLineInput {
  readonly node: NodePlan;
  readonly nodes: readonly NodePlan[];
  readonly scripts: NodeScripts;
  readonly profile: ProfileName;
  readonly shape: Pick<LabShape, 'regions' | 'regionMib'>;
}

/** Arguments for Node that start one node: how it runs, its script, then PD's or TiKV's own style of options. */
export function startLine(input: StartLineInput): string[] {
  const options = input.node.role === 'pd' ? pdOptions(input) : storeOptions(input);
  return [...ENGINE, input.scripts[input.node.role], ...options];
}

/**
 * Seven nodes share a laptop: a small young generation keeps garbage from growing the resident set, and compiling what is seldom
 * hot costs more than it gains (an idle lab takes 28 % of a core with the optimising compiler in its first half minute, and 21 %
 * without).
 */
const ENGINE = ['--max-semi-space-size=2', '--max-old-space-size=128', '--no-opt', '--always-sparkplug'];

function pdOptions({ node, nodes, profile }: StartLineInput): string[] {
  const group = nodes.filter(({ role }) => role === 'pd');
  return [
    ['--name', node.name],
    ['--data-dir', node.dataDir],
    ['--client-url', node.clientUrl ?? ''],
    ['--peer-url', node.peerUrl ?? ''],
    ['--initial-cluster', group.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',')],
    ['--initial-clients', group.map(({ name, clientUrl }) => `${name}=${clientUrl}`).join(',')],
    ['--profile', profile],
  ].flat();
}

function storeOptions({ node, nodes, profile, shape }: StartLineInput): string[] {
  const stores = nodes.filter(({ role }) => role === 'store');
  return [
    ['--name', node.name],
    ['--data-dir', node.dataDir],
    ['--addr', node.address],
    ['--status-addr', node.statusAddress ?? ''],
    ['--pd', nodes.flatMap(({ clientUrl }) => clientUrl ?? []).join(',')],
    ['--profile', profile],
    ['--seed-stores', stores.map(({ name }) => name).join(',')],
    ['--seed-addrs', stores.map(({ address }) => address).join(',')],
    ['--regions', String(shape.regions)],
    ['--region-mib', String(shape.regionMib)],
  ].flat();
}
