import { z } from 'zod';
import type { Reading } from '../../../src/domain/reading.js';
import type { TikvInventory } from '../inventory.js';
import type { HttpAccess } from './http.js';
import { createPdClient } from './pd-client.js';
import { type PdReader, readPd } from './pd-readings.js';

/** What is known of a cluster before anything of it was found. */
export interface DiscoverOptions {
  /** Origins of some members of PD. */
  readonly endpoints: readonly string[];
  readonly access: () => HttpAccess;
  readonly requestMs: number;
  readonly clock: () => number;
  /** Names of hosts by their address, for the names of stores. */
  readonly hostNames: ReadonlyMap<string, string>;
}

/** A cluster as its PD describes it. */
export interface Discovered {
  readonly clusterId: string;
  readonly inventory: TikvInventory;
  /** Of PD and of the stores, each once: `v8.5.5`. */
  readonly versions: { readonly pd: readonly string[]; readonly stores: readonly string[] };
}

const id = z.union([z.number(), z.string()]).transform(String);
const membersSchema = z.object({
  header: z.object({ cluster_id: id }),
  members: z.array(
    z.object({
      name: z.string().optional(),
      client_urls: z.array(z.string()).nullish(),
      binary_version: z.string().default('unknown'),
    }),
  ),
});
const storesSchema = z.object({
  stores: z.array(
    z.object({
      store: z.object({
        id,
        address: z.string(),
        status_address: z.string().default(''),
        version: z.string().default('unknown'),
        state_name: z.string(),
      }),
    }),
  ),
});

/** Asks PD who is there: two requests. A gap says why PD could not be read. */
export async function discover(options: DiscoverOptions): Promise<Reading<Discovered>> {
  const { endpoints, access, requestMs, clock, hostNames } = options;
  const pd = createPdClient({ endpoints: asMembers(endpoints), requestMs, access });
  const reader: PdReader = { pd, clock };
  const members = await readPd(reader, { path: '/pd/api/v1/members', schema: membersSchema });
  if (!members.known) return members;
  const stores = await readPd(reader, { path: '/pd/api/v1/stores', schema: storesSchema });
  if (!stores.known) return stores;
  const listed = stores.value.stores.map(({ store }) => store).filter(({ state_name }) => state_name !== 'Tombstone');
  const inventory: TikvInventory = {
    subject: 'tikv',
    host: HOSTS,
    pd: members.value.members.flatMap((member) => memberOf(member, endpoints)),
    stores: listed.map((store) => storeOf(store, hostNames)).sort((a, b) => a.name.localeCompare(b.name)),
  };
  const versions = {
    pd: distinct(members.value.members.map(({ binary_version }) => binary_version)),
    stores: distinct(listed.map(({ version }) => version)),
  };
  return { ...members, value: { clusterId: members.value.header.cluster_id, inventory, versions } };
}

const HOSTS = 'hosts';

/** Before PD has said anything: its endpoints stand for its members, and there are no stores. */
export const unseenInventory = (endpoints: readonly string[]): TikvInventory => ({
  subject: 'tikv',
  host: HOSTS,
  pd: asMembers(endpoints),
  stores: [],
});

const asMembers = (endpoints: readonly string[]) =>
  endpoints.map((clientUrl) => ({ name: new URL(clientUrl).host, clientUrl }));

/** An endpoint that we were given is known to be open to us; what a member advertises may be an address of an inner network. */
function memberOf(
  { name, client_urls }: z.infer<typeof membersSchema>['members'][number],
  endpoints: readonly string[],
): TikvInventory['pd'][number][] {
  const urls = (client_urls ?? []).filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);
  const clientUrl = urls.find((url) => endpoints.includes(url)) ?? urls[0];
  // A member without a name was added and never started.
  return name && clientUrl ? [{ name, clientUrl }] : [];
}

function storeOf(
  { address, status_address }: z.infer<typeof storesSchema>['stores'][number]['store'],
  hostNames: ReadonlyMap<string, string>,
): TikvInventory['stores'][number] {
  const at = address.lastIndexOf(':');
  const host = hostNames.get(address.slice(0, at));
  return {
    name: host === undefined ? address : `${host}${address.slice(at)}`,
    address,
    statusAddress: status_address === '' ? address : status_address,
  };
}

const distinct = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => (text.startsWith('v') || text === 'unknown' ? text : `v${text}`)))].sort();
