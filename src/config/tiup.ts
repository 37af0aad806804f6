import * as z from 'zod';
import { parseYaml, readConfigText } from './yaml-file.js';

/** Ports of TiUP where a topology says none. */
const PD_PORT = 2379;
const TIKV_PORT = 20160;

const Server = z.object({ host: z.string().min(1), ssh_port: z.number().optional() });
const Topology = z
  .object({
    global: z.object({ user: z.string().optional(), enable_tls: z.boolean().optional() }).nullish(),
    pd_servers: z.array(Server.extend({ client_port: z.number().default(PD_PORT) })).min(1),
    tikv_servers: z.array(Server.extend({ port: z.number().default(TIKV_PORT) })).min(1),
  })
  .describe('a topology of TiUP');

/** What a TiUP topology says that Medic needs. Everything else of it (TiDB, monitoring, ...) is left out. */
export interface TiupTopology {
  /** Origins of PD. */
  readonly endpoints: readonly string[];
  readonly tls: boolean;
  /** Hosts with the units that TiUP makes there; each host once, in the order of the file. */
  readonly hosts: readonly { readonly address: string; readonly services: readonly string[] }[];
}

/** Reads the file of `tiup cluster deploy` or of `tiup cluster display`. Throws `MEDIC_CONFIG_*` with line and column. */
export async function loadTiup(path: string): Promise<TiupTopology> {
  const { text } = await readConfigText(path);
  const { global, pd_servers, tikv_servers } = parseYaml({ path, text }, Topology);
  const tls = global?.enable_tls === true;
  const units = [
    ...pd_servers.map(({ host, client_port }) => ({ host, unit: `pd-${client_port}` })),
    ...tikv_servers.map(({ host, port }) => ({ host, unit: `tikv-${port}` })),
  ];
  return {
    endpoints: pd_servers.map(
      ({ host, client_port }) => `${tls ? 'https' : 'http'}://${bracketed(host)}:${client_port}`,
    ),
    tls,
    hosts: [...new Set(units.map(({ host }) => host))].map((address) => ({
      address,
      services: units.filter(({ host }) => host === address).map(({ unit }) => unit),
    })),
  };
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
