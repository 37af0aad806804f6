import { MedicError } from '../../src/domain/errors.js';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';

const REQUEST_MS = 2_000;

/**
 * What a cluster is, apart from what PD moves by itself (leaders, replicas, ages, counts): nodes and how they ended, PD's
 * members, stores with state, labels and weights, regions with the roles of their peers, schedulers and configuration. Equal
 * before a fault and after its healing, nothing else was changed.
 *
 * @throws MedicError `MEDIC_CHAOS_TARGET` when no PD answers all of it
 */
export async function snapshotOf(lab: Lab): Promise<string> {
  const nodes = await lab.ps();
  const asked = Object.entries(FACTS);
  for (const { clientUrl } of lab.topology().pd) {
    const facts = await Promise.all(asked.map(([path, pick]) => ask(`${clientUrl}${path}`, pick)));
    if (facts.every((fact) => fact !== undefined))
      return JSON.stringify({ nodes: nodes.map(plainNode), facts }, null, 1);
  }
  throw new MedicError('MEDIC_CHAOS_TARGET', 'no PD answers with the whole state of the cluster');
}

const plainNode = ({ name, state, stoppedByRequest }: Awaited<ReturnType<Lab['ps']>>[number]) => ({
  name,
  state,
  stoppedByRequest,
});

type Pick = (answer: never) => unknown;

interface Stores {
  readonly stores: readonly {
    readonly store: {
      readonly id: number;
      readonly address: string;
      readonly state_name: string;
      readonly labels?: unknown;
    };
    readonly status: { readonly leader_weight: number; readonly region_weight: number };
  }[];
}

interface Regions {
  readonly regions: readonly {
    readonly id: number;
    readonly start_key: string;
    readonly end_key: string;
    readonly peers: readonly { readonly role_name?: string }[];
  }[];
}

const byText = <T>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

const FACTS: Readonly<Record<string, Pick>> = {
  '/pd/api/v1/members': ({ members }: { members: readonly { name: string }[] }) =>
    members.map(({ name }) => name).sort(),
  '/pd/api/v1/stores': ({ stores }: Stores) =>
    byText(
      stores.map(({ store, status }) => ({
        ...{ id: store.id, address: store.address, state: store.state_name, labels: store.labels ?? [] },
        weights: [status.leader_weight, status.region_weight],
      })),
    ),
  '/pd/api/v1/regions': ({ regions }: Regions) =>
    byText(
      regions.map(({ id, start_key, end_key, peers }) => ({
        ...{ id, start_key, end_key },
        roles: peers.map(({ role_name }) => role_name ?? 'Voter').sort(),
      })),
    ),
  '/pd/api/v1/schedulers?status=paused': (names: readonly string[] | null) => [...(names ?? [])].sort(),
  '/pd/api/v1/schedulers': (names: readonly string[]) => [...names].sort(),
  '/pd/api/v1/config/schedule': (config: unknown) => config,
  '/pd/api/v1/config/replicate': (config: unknown) => config,
};

async function ask(url: string, pick: Pick): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) });
    return response.ok ? pick((await response.json()) as never) : undefined;
  } catch {
    return undefined;
  }
}
