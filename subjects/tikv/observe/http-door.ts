import type { HttpCall } from '../../../src/domain/query.js';
import type { HttpAnswer } from '../../protocol.js';
import type { TikvInventory } from '../inventory.js';
import { reachWords } from '../picture/words.js';
import { askHttp, type HttpAccess, type HttpOutcome } from './http.js';
import type { PdClient } from './pd-client.js';
import { reachOf } from './pd-members.js';
import { statusDoor } from './status-door.js';

export interface HttpDoorOptions {
  readonly inventory: TikvInventory;
  readonly pd: PdClient;
  readonly requestMs: number;
  readonly access?: () => HttpAccess;
}

/** Carries out the calls of looks and steps; the address comes from the inventory. Never throws. */
export function createHttpDoor({ inventory, pd, requestMs, access }: HttpDoorOptions) {
  return async function http(call: HttpCall, signal?: AbortSignal): Promise<HttpAnswer> {
    if (call.api === 'pd') return askPd(pd, call, signal);
    if (call.api === 'tikv-status') return askStore({ inventory, requestMs, access }, call, signal);
    return nobody(`there is no API ${call.api}; tikv has pd and tikv-status`);
  };
}

async function askPd(pd: PdClient, { node, method, path, body }: HttpCall, signal?: AbortSignal): Promise<HttpAnswer> {
  const question = { method, path, body, signal };
  if (node !== undefined) return answerOf(node, await pd.askMember(node, question));
  const answer = await pd.ask(question);
  if (answer.kind === 'answered') return { status: answer.status, body: answer.body, node: answer.node };
  const last = answer.attempts.findLast(({ outcome }) => outcome.kind === 'answered');
  if (last) return answerOf(last.node, last.outcome);
  const isUnsent = answer.attempts.every(({ outcome }) => outcome.kind === 'refused');
  return { ...nobody(answer.reason), ...(isUnsent ? UNSENT : {}) };
}

async function askStore(
  { inventory, requestMs, access }: Omit<HttpDoorOptions, 'pd'>,
  { node, method, path, body }: HttpCall,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const store = inventory.stores.find(({ name }) => name === node);
  if (!store) return nobody(node ? `${node} is no store of the inventory` : 'tikv-status needs the name of a store');
  const door = statusDoor(store.statusAddress, access?.());
  return answerOf(store.name, await askHttp({ ...door, method, path, body, deadlineMs: requestMs, signal }));
}

function answerOf(node: string, outcome: HttpOutcome): HttpAnswer {
  if (outcome.kind === 'answered') return { status: outcome.status, body: outcome.body, node };
  const failure = reachWords(reachOf(outcome));
  return { status: null, body: '', failure, node, ...(outcome.kind === 'refused' ? UNSENT : {}) };
}

const UNSENT = { sent: false } as const;

const nobody = (failure: string): HttpAnswer => ({ status: null, body: '', failure, node: null });
