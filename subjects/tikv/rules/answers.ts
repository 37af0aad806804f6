import type { EvidenceId, Target } from '../../../src/domain/ids.js';
import type { Call } from '../../../src/domain/query.js';
import type { Facts } from '../../protocol.js';
import { reachFromWords } from '../picture/words.js';
import type { Reach, TikvPicture, Witness } from '../picture.js';
import { askHostForNodes, askStatusPort, inspectNode, readLog } from '../services.js';

type TikvFacts = Facts<TikvPicture>;

/** A fact from a look, with the evidence to cite; `value` null: not asked, or the answer did not tell. */
export interface Told<T> {
  readonly value: T | null;
  readonly id: EvidenceId | null;
  /** Why there is no value, in words. */
  readonly why: string;
}

/** The host's word on a node, from `labctl inspect`. */
export function toldByHost(facts: TikvFacts, node: Target): Told<Witness> {
  const answer = facts.answer(inspectNode(node));
  if (!answer) return { value: null, id: null, why: 'the host was not asked yet' };
  const { id, exit, failure } = answer.evidence;
  if (exit !== 0) return { value: null, id, why: `the host gave no answer (${failure ?? `exit ${exit}`})` };
  const witness = witnessIn(answer.body);
  return witness
    ? { value: witness, id, why: '' }
    : { value: null, id, why: 'the answer of the host is not understood' };
}

/** The host's word on all nodes, from `labctl ps`. */
export function toldByHosts(facts: TikvFacts): Told<readonly (Witness & { readonly name: string })[]> {
  const answer = facts.answer(askHostForNodes());
  if (!answer) return { value: null, id: null, why: 'the host was not asked yet' };
  const { id, exit, failure } = answer.evidence;
  if (exit !== 0) return { value: null, id, why: `the host gave no answer (${failure ?? `exit ${exit}`})` };
  const nodes = parsed(answer.body);
  const value = Array.isArray(nodes) && nodes.every(isNamedWitness) ? nodes : null;
  return { value, id, why: value ? '' : 'the answer of the host is not understood' };
}

const isNamedWitness = (node: unknown): node is Witness & { readonly name: string } =>
  isWitness(node) && typeof (node as { readonly name?: unknown }).name === 'string';

/** How the status port met the look. */
export function toldByPort(facts: TikvFacts, node: Target): Told<Reach> {
  const answer = facts.answer(askStatusPort(node));
  if (!answer) return { value: null, id: null, why: 'the status port was not asked yet' };
  const { id, exit, durationMs, failure } = answer.evidence;
  const value: Reach =
    exit === null ? reachFromWords(failure ?? 'no answer') : { kind: 'answers', status: exit, ms: durationMs };
  return { value, id, why: '' };
}

/** Does the log end without a word of farewell? Only as an aside: a log is what the process chose to write. */
export function toldByLog(facts: TikvFacts, node: Target): Told<'ends abruptly' | 'says farewell'> {
  const answer = facts.answer(readLog(node));
  if (answer?.evidence.exit !== 0 || answer.body.trim() === '')
    return { value: null, id: null, why: 'there is no log' };
  const bidsFarewell = /\b(SIGTERM|SIGINT|shutting down|stopped gracefully|exiting)\b/i.test(answer.body);
  return { value: bidsFarewell ? 'says farewell' : 'ends abruptly', id: answer.evidence.id, why: '' };
}

/** The id of an answered look, to be cited beside the picture that says the same. */
export function citationOf(facts: TikvFacts, call: Call): EvidenceId | null {
  const answer = facts.answer(call);
  return answer && answer.evidence.exit === 200 ? answer.evidence.id : null;
}

function witnessIn(body: string): Witness | null {
  const node = parsed(body);
  return isWitness(node) ? node : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Is it what the host says of one node? */
export function isWitness(node: unknown): node is Witness {
  if (node === null || typeof node !== 'object') return false;
  const { state, stoppedByRequest, startedAt } = node as Partial<Record<keyof Witness, unknown>>;
  const isState = state === 'running' || state === 'paused' || state === 'exited';
  return isState && typeof stoppedByRequest === 'boolean' && typeof startedAt === 'string';
}
