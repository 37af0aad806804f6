import type { Target } from '../../src/domain/ids.js';

/** Where the parts of one cluster are. The only source of endpoints: a reasoner names members, never addresses. */
export interface TikvInventory {
  readonly subject: 'tikv';
  /** The host on which commands about the nodes run. */
  readonly host: string;
  readonly pd: readonly { readonly name: string; readonly clientUrl: string }[];
  readonly stores: readonly {
    readonly name: string;
    /** `host:port` of the client port, as the store told PD. */
    readonly address: string;
    readonly statusAddress: string;
  }[];
}

/**
 * The node that others know by an address: by its name, by one of its ports, or, when only the port differs, as the only
 * node of its host. `null`: none, or several could be meant.
 */
export function nodeAt({ pd, stores }: TikvInventory, address: string): Target | null {
  const nodes = [
    ...pd.map(({ name, clientUrl }) => ({ name, addresses: [new URL(clientUrl).host] })),
    ...stores.map((store) => ({ name: store.name, addresses: [store.address, store.statusAddress] })),
  ];
  const exact = nodes.find(({ name, addresses }) => name === address || addresses.includes(address));
  if (exact) return exact.name;
  const host = hostOf(address);
  const there = nodes.filter(({ addresses }) => addresses.some((one) => hostOf(one) === host));
  return there.length === 1 ? (there[0]?.name ?? null) : null;
}

const hostOf = (address: string): string => address.replace(/:\d+$/, '');
