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
