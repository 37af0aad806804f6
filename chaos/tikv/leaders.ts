import { MedicError } from '../../src/domain/errors.js';
import type { LabTopology } from '../../subjects/tikv/lab/labd/topology.js';

const REQUEST_MS = 2_000;

interface StoreList {
  readonly stores?: readonly {
    readonly store: { readonly address: string };
    readonly status: { readonly leader_count?: number };
  }[];
}

/**
 * Leaders of each store by name, from the first PD that answers.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` when none does
 */
export async function leadersByStore({ pd, stores }: LabTopology): Promise<ReadonlyMap<string, number>> {
  const list = await firstAnswer<StoreList>(pd, '/pd/api/v1/stores', 'which store has most leaders');
  const counts = new Map((list.stores ?? []).map(({ store, status }) => [store.address, status.leader_count ?? 0]));
  return new Map(stores.map(({ name, address }) => [name, counts.get(address) ?? 0]));
}

/**
 * Name of the PD member that leads, from the first PD that answers.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` when none does
 */
export async function pdLeader({ pd }: LabTopology): Promise<string> {
  return (await firstAnswer<{ readonly name: string }>(pd, '/pd/api/v1/leader', 'who leads')).name;
}

async function firstAnswer<T>(pd: LabTopology['pd'], path: string, what: string): Promise<T> {
  for (const { clientUrl } of pd) {
    const response = await fetch(`${clientUrl}${path}`, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(
      () => undefined,
    );
    if (response?.ok) return (await response.json()) as T;
  }
  throw new MedicError('MEDIC_CHAOS_TARGET', `no PD says ${what}`, 'Wait until PD has a leader, or name a store.');
}
