import type { Call } from '../../../src/domain/query.js';
import { counted } from '../../../src/domain/story.js';
import { witnessWords } from '../picture/words.js';
import { isWitness } from './answers.js';

type Json = Readonly<Record<string, unknown>>;

/** `Subject.describeAnswer` for the looks that the rules ask for; anything else speaks for itself. */
export function describeAnswer(call: Call, body: string): string | null {
  if (call.kind === 'http') return call.method === 'GET' ? describeHttp(call.api, call.path, body) : null;
  const [program, verb] = call.command.split(/\s+/);
  if (program !== 'labctl') return null;
  if (verb === 'logs') return logWords(body);
  const json = parsed(body);
  if (verb === 'inspect') return nodeWords(json);
  return verb === 'ps' ? nodesWords(json) : null;
}

function describeHttp(api: string, path: string, body: string): string | null {
  if (api === 'tikv-status') return path === '/status' ? 'answers' : null;
  if (path === '/pd/api/v1/members') return membersWords(parsed(body));
  if (path === '/pd/api/v1/stores') return storesWords(parsed(body));
  return path.startsWith('/pd/api/v1/store/') ? storeWords(parsed(body)) : null;
}

/** `tikv-2 exited 137, died` */
function nodeWords(node: unknown): string | null {
  return isRecord(node) && isWitness(node) ? `${text(node, 'name')} ${witnessWords(node)}` : null;
}

/** `7 nodes, 6 running; tikv-2 exited 137, died` */
function nodesWords(nodes: unknown): string | null {
  if (!Array.isArray(nodes)) return null;
  const others = nodes.filter((node) => !(isRecord(node) && node.state === 'running')).map(nodeWords);
  return [`${counted(nodes.length, 'node')}, ${nodes.length - others.length} running`, ...others].join('; ');
}

/** `20 lines, the last at 15:47:05: "became leader at term 1"` */
function logWords(body: string): string | null {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (last === undefined) return 'no line';
  const [, time, message] = /^\[\S+ ([\d:]+)\S* \S+\] \[\w+\] \[[^\]]*\] \[("[^"]*"|[^\]]*)\]/.exec(last) ?? [];
  const words = time && message ? ` at ${time}: ${message}` : `: ${last.trim()}`;
  return `${counted(lines.length, 'line')}, the last${words}`;
}

/** `store 1 Disconnected, last heartbeat 15:47:13, 0 leaders, 18 regions, 6 pending peers` */
function storeWords(answer: unknown): string | null {
  const store = isRecord(answer) ? answer.store : null;
  const status = isRecord(answer) ? answer.status : null;
  if (!isRecord(store) || !isRecord(status)) return null;
  const heartbeat = /T([\d:]+)/.exec(text(status, 'last_heartbeat_ts'))?.[1];
  const counts = [
    `${count(status, 'leader_count')} leaders`,
    `${count(status, 'region_count')} regions`,
    `${count(status, 'pending_peer_count')} pending peers`,
  ];
  const heard = heartbeat ? `last heartbeat ${heartbeat}` : 'no heartbeat ever';
  return [`store ${String(store.id)} ${text(store, 'state_name')}`, heard, ...counts].join(', ');
}

/** `4 stores: 3 Up, 1 Disconnected` */
function storesWords(answer: unknown): string | null {
  const stores = isRecord(answer) ? answer.stores : null;
  if (!Array.isArray(stores)) return null;
  const states = stores.map((entry) =>
    isRecord(entry) && isRecord(entry.store) ? text(entry.store, 'state_name') : '?',
  );
  const kinds = [...new Set(states)].map((state) => `${states.filter((one) => one === state).length} ${state}`);
  return `${counted(stores.length, 'store')}: ${kinds.join(', ')}`;
}

/** `pd-0 leads pd-0, pd-1, pd-2` */
function membersWords(answer: unknown): string | null {
  if (!isRecord(answer) || !Array.isArray(answer.members)) return null;
  const names = answer.members.map((member) => (isRecord(member) ? text(member, 'name') : '?')).sort();
  const { leader } = answer;
  return `${isRecord(leader) ? text(leader, 'name') : 'nobody'} leads ${names.join(', ')}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const text = (record: Json, key: string): string => (typeof record[key] === 'string' ? record[key] : '?');

/** PD leaves zeros out. */
const count = (record: Json, key: string): number => (typeof record[key] === 'number' ? record[key] : 0);
