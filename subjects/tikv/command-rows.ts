import type { Argv, CommandClass, CommandRow } from '../../src/policy/row.js';

/** What a command on a host does to TiKV. An argument that a row does not know leaves the command unknown. */
export const COMMAND_ROWS: readonly CommandRow[] = [
  { program: 'labctl', classify: classifyLabctl },
  byHandOnly('pd-recover', 'it rewrites the identity of the PD group'),
  byHandOnly('tikv-ctl', 'it changes the data of a store behind its back'),
  byHandOnly('etcdctl', "it writes PD's own storage"),
  byHandOnly('pd-server', 'a PD started by hand can begin a second cluster under the old stores'),
  byHandOnly('tikv-server', 'two processes with the identity of one store corrupt it'),
];

const READ: CommandClass = { kind: 'read' };
const NODE = /^(pd|tikv)-\d{1,3}$/;

/** The verbs of the lab's own tool, with exactly the arguments of its manual. */
function classifyLabctl({ words }: Argv): CommandClass | null {
  if (words.some((word) => word.dynamic || word.multi)) return null;
  const [verb, node = '', ...options] = words.slice(1).map((word) => word.text);
  if (verb === 'ps') return [node, ...options].every((word) => word === '' || word === '--json') ? READ : null;
  if (!NODE.test(node)) return null;
  switch (verb) {
    case 'inspect':
      return options.every((word) => word === '--json') ? READ : null;
    case 'logs':
      return optionsOf(options, { '--tail': /^\d{1,5}$/, '--since': /^[\dTZ:.+-]+$/ }) ? READ : null;
    case 'start':
    case 'unpause':
      return options.length === 0 ? bringsBack(node) : null;
    case 'stop':
      return optionsOf(options, { '--time': /^\d{1,4}$/ }) ? stops(node) : null;
    default:
      return null;
  }
}

/** Pairs of an option and its value, each at most once. */
function optionsOf(words: readonly string[], known: Readonly<Record<string, RegExp>>): boolean {
  const names = words.filter((_, index) => index % 2 === 0);
  if (new Set(names).size < names.length) return false;
  return names.every((name, pair) => Object.hasOwn(known, name) && known[name]?.test(words[2 * pair + 1] ?? ''));
}

/** `unpause` does nothing to a node that runs, and `start` nothing to one that is there. */
const bringsBack = (node: string): CommandClass => ({
  kind: 'mutate',
  influence: { touches: [node], takesAway: [] },
  reversible: true,
  restorative: true,
});

const stops = (node: string): CommandClass => ({
  kind: 'mutate',
  influence: { touches: [node], takesAway: [node] },
  reversible: true,
  restorative: false,
  capacity: 'when-healthy',
});

function byHandOnly(program: string, why: string): CommandRow {
  return { program, classify: () => ({ kind: 'forbidden', reason: `${why}: a person does that, by hand` }) };
}
