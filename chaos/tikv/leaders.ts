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
  const list = await firstAnswer(pd.map(({ clientUrl }) => `${clientUrl}/pd/api/v1/stores`));
  const counts = new Map((list.stores ?? []).map(({ store, status }) => [store.address, status.leader_count ?? 0]));
  return new Map(stores.map(({ name, address }) => [name, counts.get(address) ?? 0]));
}

async function firstAnswer(urls: readonly string[]): Promise<StoreList> {
  for (const url of urls) {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(() => undefined);
    if (response?.ok) return (await response.json()) as StoreList;
  }
  throw new MedicError(
    'MEDIC_CHAOS_TARGET',
    'no PD says which store has most leaders',
    'Name a store, or give a seed.',
  );
}
