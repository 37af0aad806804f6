import { parseArgs } from 'node:util';
import { MedicError } from '../../../../src/domain/errors.js';
import { askLabd } from './ask.js';
import { nodesTable } from './nodes-table.js';
import type { NodeReport, StartAnswer, StopAnswer, UnpauseAnswer } from './report.js';

/*
 * What the operator finds on the host, with docker's verbs. It starts in about the time that Node needs, because it
 * imports nothing but labd's HTTP.
 */

const USAGE = `labctl: the nodes of a TiKV lab, one process each

  labctl ps [--json]                        list the nodes
  labctl inspect NODE                       one node, as JSON
  labctl logs NODE [--tail N] [--since ISO] its captured output, oldest line first
  labctl start NODE                         start it; does nothing when it runs
  labctl stop NODE [--time SECONDS]         SIGTERM, SIGKILL after SECONDS (10); counts as stopped by request
  labctl unpause NODE                       let it go on when it was frozen (SIGCONT); does nothing when it runs

Exit codes: 0 done, 1 refused or no such node, 2 usage, 4 labd does not answer.
`;

/** Beyond the grace of a stop, and for a start that waits for a stop under way. */
const PATIENCE_MS = 30_000;

const OPTIONS = {
  lab: { type: 'string' },
  json: { type: 'boolean' },
  tail: { type: 'string' },
  since: { type: 'string' },
  time: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Flags = ReturnType<typeof parse>['values'];
type Flag = keyof Flags;

interface Call {
  readonly dir: string;
  readonly node: string;
  readonly flags: Flags;
}

interface Verb {
  readonly takes: 'node' | 'nothing';
  readonly flags: readonly Flag[];
  readonly run: (call: Call) => Promise<string>;
}

const VERBS: Readonly<Record<string, Verb>> = {
  ps: { takes: 'nothing', flags: ['json'], run: ps },
  inspect: { takes: 'node', flags: ['json'], run: inspect },
  logs: { takes: 'node', flags: ['tail', 'since'], run: logs },
  start: { takes: 'node', flags: [], run: start },
  stop: { takes: 'node', flags: ['time'], run: stop },
  unpause: { takes: 'node', flags: [], run: unpause },
};

async function main(argv: readonly string[]): Promise<string> {
  const { values, positionals } = parse(argv);
  if (values.help) return USAGE;
  const [name = '', node = '', ...rest] = positionals;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) throw usage(name === '' ? 'a verb is missing' : `there is no verb ${name}`);
  if (values.lab === undefined) throw usage('--lab is missing: the folder of the lab');
  const wrong = (Object.keys(values) as Flag[]).find((flag) => flag !== 'lab' && !verb.flags.includes(flag));
  if (wrong !== undefined) throw usage(`${name} takes no --${wrong}`);
  if ((node !== '') !== (verb.takes === 'node') || rest.length > 0)
    throw usage(`${name} takes ${verb.takes === 'node' ? 'one node' : 'no node'}`);
  return verb.run({ dir: values.lab, node, flags: values });
}

async function ps({ dir, flags }: Call): Promise<string> {
  const nodes = (await askLabd({ dir, method: 'GET', path: '/v1/nodes' })) as NodeReport[];
  return flags.json ? json(nodes) : nodesTable(nodes, new Date());
}

async function inspect({ dir, node }: Call): Promise<string> {
  return json(await askLabd({ dir, method: 'GET', path: pathOf(node) }));
}

async function logs({ dir, node, flags: { tail, since } }: Call): Promise<string> {
  const search = new URLSearchParams({
    ...(tail === undefined ? {} : { tail }),
    ...(since === undefined ? {} : { since }),
  });
  const lines = (await askLabd({ dir, method: 'GET', path: `${pathOf(node)}/logs?${search}` })) as string[];
  return lines.map((line) => `${line}\n`).join('');
}

async function start({ dir, node }: Call): Promise<string> {
  const path = `${pathOf(node)}/start`;
  const answer = (await askLabd({ dir, method: 'POST', path, timeoutMs: PATIENCE_MS })) as StartAnswer;
  if (answer.outcome === 'started') return `${node} started, pid ${answer.node.pid}\n`;
  const how = answer.node.state === 'paused' ? 'already running, but paused (stopped by a signal)' : 'already running';
  return `${node} is ${how}, pid ${answer.node.pid}\n`;
}

async function stop({ dir, node, flags }: Call): Promise<string> {
  const seconds = Number(flags.time ?? '10');
  if (!Number.isInteger(seconds) || seconds < 0) throw usage(`--time ${flags.time}: whole seconds are needed`);
  const path = `${pathOf(node)}/stop?graceMs=${seconds * 1_000}`;
  const answer = (await askLabd({ dir, method: 'POST', path, timeoutMs: seconds * 1_000 + PATIENCE_MS })) as StopAnswer;
  return {
    stopped: `${node} stopped\n`,
    killed: `${node} stopped by SIGKILL: it did not end within ${seconds} s\n`,
    'already-exited': `${node} has already exited\n`,
  }[answer.outcome];
}

async function unpause({ dir, node }: Call): Promise<string> {
  const path = `${pathOf(node)}/unpause`;
  const answer = (await askLabd({ dir, method: 'POST', path, timeoutMs: PATIENCE_MS })) as UnpauseAnswer;
  if (answer.outcome === 'not-running')
    throw new MedicError('MEDIC_LAB_FAILED', `${node} does not run: there is nothing to go on`, 'Start it.');
  return `${node} ${answer.outcome === 'resumed' ? 'goes on' : 'is already running'}, pid ${answer.node.pid}\n`;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: true });
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function pathOf(node: string): string {
  return `/v1/nodes/${encodeURIComponent(node)}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function usage(message: string): MedicError {
  return new MedicError('MEDIC_USAGE', message);
}

function exitCodeOf({ code }: MedicError): number {
  if (code === 'MEDIC_USAGE') return 2;
  return code === 'MEDIC_LAB_NOT_RUNNING' ? 4 : 1;
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof MedicError)) throw error;
  const next = error.code === 'MEDIC_USAGE' ? 'See `labctl --help`.' : error.next;
  process.stderr.write(`${error.code}  ${error.message}. ${next}\n`);
  process.exitCode = exitCodeOf(error);
}
