import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { TikvInventory } from '../../subjects/tikv/inventory.js';
import { loadMedic } from '../config/medic.js';
import { loadTiup } from '../config/tiup.js';
import { type Sketch, writeMedic } from '../config/write-medic.js';
import { MedicError } from '../domain/errors.js';
import { counted } from '../domain/story.js';
import { EXIT } from './exit-codes.js';
import { needCluster } from './fleet.js';
import { type PdOptions, subjectOf } from './observe.js';
import type { Screen } from './screen.js';

export interface InitOptions extends Partial<PdOptions> {
  /** A topology of TiUP. */
  readonly tiup?: string;
  readonly subject: string;
  readonly out: string;
}

/**
 * `medic init`: a first, commented medic.yaml that observes one cluster. An existing file is never touched.
 *
 * @throws MedicError `MEDIC_USAGE`, `MEDIC_INIT_EXISTS`, `MEDIC_PD_UNREADABLE`, `MEDIC_CONFIG_*`
 */
export async function init(options: InitOptions, screen: Screen): Promise<number> {
  const sketch = await sketchOf(options);
  const path = resolve(options.out);
  await writeNew(path, writeMedic(sketch));
  await loadMedic(path);
  screen.out(options.out);
  const { endpoints, hosts } = sketch;
  screen.err(
    `${sketch.name}: ${counted(endpoints.length, 'PD endpoint')}, ${counted(hosts.length, 'host')}, autonomy observe`,
  );
  screen.err('next: ./medic doctor · ./medic up');
  return EXIT.ok;
}

async function sketchOf({ tiup, pd, ...options }: InitOptions): Promise<Sketch> {
  if ((tiup === undefined) === (pd === undefined))
    throw new MedicError('MEDIC_USAGE', 'need either --tiup or --pd', 'See `./medic init --help`.');
  return tiup === undefined ? fromPd({ ...options, pd: pd ?? '' }) : fromTiup(tiup, options);
}

async function fromTiup(file: string, { subject, ca, cert, key }: Omit<InitOptions, 'tiup'>): Promise<Sketch> {
  const { endpoints, tls, hosts } = await loadTiup(file);
  const places = { ca: placeOf(ca), cert: placeOf(cert), key: placeOf(key) };
  return { name: subject, from: basename(file), endpoints, hosts, ...(tls ? { tls: places } : {}) };
}

async function fromPd(options: Omit<InitOptions, 'tiup'> & PdOptions): Promise<Sketch> {
  const subject = subjectOf(options.subject, options);
  const { clusterId, inventory } = await needCluster(subject);
  const endpoints = inventory.pd.map(({ clientUrl }) => clientUrl);
  const places = { ca: placeOf(options.ca), cert: placeOf(options.cert), key: placeOf(options.key) };
  return {
    name: options.subject,
    from: `the PD of cluster ${clusterId}`,
    // Advertised addresses may be of another scheme or network than the ones that were given and work.
    endpoints: [
      ...new Set([...subject.pd.endpoints, ...endpoints.filter((url) => isAlike(url, subject.pd.endpoints))]),
    ],
    hosts: hostsOf(inventory),
    ...(subject.pd.tls ? { tls: places } : {}),
  };
}

const isAlike = (url: string, given: readonly string[]): boolean =>
  new URL(url).protocol === new URL(given[0] ?? url).protocol;

const placeOf = (path: string | undefined): string | null => (path === undefined ? null : resolve(path));

/** Units as TiUP calls them, by the ports. */
function hostsOf({ pd, stores }: TikvInventory): Sketch['hosts'] {
  const units = [
    ...pd.map(({ clientUrl }) => ({ ...splitOf(new URL(clientUrl).host), kind: 'pd' })),
    ...stores.map(({ address }) => ({ ...splitOf(address), kind: 'tikv' })),
  ];
  return [...new Set(units.map(({ host }) => host))].map((address) => ({
    address,
    services: units.filter(({ host }) => host === address).map(({ kind, port }) => `${kind}-${port}`),
  }));
}

function splitOf(address: string): { readonly host: string; readonly port: string } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replaceAll(/[[\]]/g, ''), port: address.slice(at + 1) };
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new MedicError('MEDIC_INIT_EXISTS', `${path} is there already`);
    throw new MedicError('MEDIC_CONFIG_UNREADABLE', `${path}  ${message}`);
  }
}
