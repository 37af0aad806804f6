import { MedicError } from '../../src/domain/errors.js';
import type { LabTopology } from '../../subjects/tikv/lab/labd/topology.js';

const REQUEST_MS = 5_000;

/** One request to PD's HTTP API; `path` below `/pd/api/v1`. */
export interface PdRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export interface PdReply {
  readonly status: number;
  readonly text: string;
}

/**
 * The first answer that is no failure of that member, else the last of those; a follower asks the leader by itself.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` when no PD answers
 */
export async function askPd({ pd }: LabTopology, { method = 'GET', path, body }: PdRequest): Promise<PdReply> {
  let last: PdReply | undefined;
  for (const { clientUrl } of pd) {
    const answer = await fetch(`${clientUrl}/pd/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    }).catch(() => undefined);
    if (answer) last = { status: answer.status, text: await answer.text() };
    if (last && last.status < 500) return last;
  }
  if (last) return last;
  throw new MedicError('MEDIC_CHAOS_TARGET', `no PD answers ${method} ${path}`, 'Wait until PD has a leader.');
}

/**
 * The JSON of a good answer.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` with PD's words otherwise
 */
export async function readPd<T>(topology: LabTopology, path: string): Promise<T> {
  const { status, text } = await askPd(topology, { path });
  if (status === 200) return JSON.parse(text) as T;
  throw new MedicError('MEDIC_CHAOS_TARGET', `PD answers GET ${path} with ${status} ${text.trim()}`);
}

/**
 * Gives PD an order.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` with PD's words when it refuses
 */
export async function orderPd(topology: LabTopology, request: PdRequest): Promise<void> {
  const { status, text } = await askPd(topology, request);
  if (status >= 200 && status < 300) return;
  const { method, path } = request;
  throw new MedicError('MEDIC_CHAOS_TARGET', `PD answers ${method} ${path} with ${status} ${text.trim()}`);
}

interface StoreList {
  readonly stores: readonly {
    readonly store: { readonly id: number; readonly address: string; readonly state_name: string };
    readonly status: {
      readonly leader_count?: number;
      readonly region_count?: number;
      readonly leader_weight?: number;
    };
  }[];
}

/** A store as PD sees it, by the lab's name. */
export interface StoreInPd {
  readonly name: string;
  readonly id: number;
  readonly state: string;
  readonly leaders: number;
  /** Of which it holds a peer. */
  readonly regions: number;
  /** 0: PD gives it no leaders. */
  readonly leaderWeight: number;
}

export async function storesInPd(topology: LabTopology): Promise<readonly StoreInPd[]> {
  const { stores } = await readPd<StoreList>(topology, '/stores');
  return stores.flatMap(({ store, status }) => {
    const known = topology.stores.find(({ address }) => address === store.address);
    if (!known) return [];
    const { leader_count: leaders = 0, region_count: regions = 0, leader_weight: leaderWeight = 1 } = status;
    return [{ name: known.name, id: store.id, state: store.state_name, leaders, regions, leaderWeight }];
  });
}
