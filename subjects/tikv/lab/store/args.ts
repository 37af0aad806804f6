import { parseArgs } from 'node:util';
import { PROFILES, type Profile } from '../../profiles.js';

/** One store of the first generation, as every store's start line names it. */
export interface SeedStore {
  readonly name: string;
  readonly address: string;
}

/** What the start line says. */
export interface StoreArgs {
  readonly name: string;
  readonly dataDir: string;
  /** `host:port` for clients and other stores, like TiKV's 20160. */
  readonly address: string;
  /** `host:port` of the status port, like TiKV's 20180. */
  readonly statusAddress: string;
  /** Client URLs of all PD members. */
  readonly pd: readonly string[];
  /** With `--max-peer-down-ms`, which nobody can change later (TiKV: `raftstore.max-peer-down-duration`), in place of its own. */
  readonly profile: Profile;
  readonly seeds: readonly SeedStore[];
  readonly regions: number;
  /** MiB that PD is told of each region at least. */
  readonly regionMib: number;
}

/**
 * Reads the start line of a store.
 *
 * @throws Error that names the option, for a missing or malformed one
 */
export function parseStoreArgs(argv: readonly string[]): StoreArgs {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true });
  const need = (option: keyof typeof OPTIONS) => required(option, values[option]);
  const names = need('seed-stores').split(',');
  const addresses = need('seed-addrs').split(',');
  if (names.length !== addresses.length) throw new Error('--seed-stores and --seed-addrs differ in length');
  return {
    name: need('name'),
    dataDir: need('data-dir'),
    address: need('addr'),
    statusAddress: need('status-addr'),
    pd: need('pd').split(','),
    profile: withPeerDown(profileOf(need('profile')), values['max-peer-down-ms']),
    seeds: names.map((name, index) => ({ name, address: addresses[index] as string })),
    regions: Number(need('regions')),
    regionMib: Number(need('region-mib')),
  };
}

const OPTIONS = {
  name: { type: 'string' },
  'data-dir': { type: 'string' },
  addr: { type: 'string' },
  'status-addr': { type: 'string' },
  pd: { type: 'string' },
  profile: { type: 'string' },
  'seed-stores': { type: 'string' },
  'seed-addrs': { type: 'string' },
  regions: { type: 'string' },
  'region-mib': { type: 'string', default: '0' },
  'max-peer-down-ms': { type: 'string' },
} as const;

function required(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`--${option} is missing`);
  return value;
}

function profileOf(name: string): Profile {
  if (name === 'real' || name === 'fast') return PROFILES[name];
  throw new Error(`--profile ${name}: there are only real and fast`);
}

function withPeerDown(profile: Profile, text: string | undefined): Profile {
  if (text === undefined) return profile;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--max-peer-down-ms ${text}: a number of ms above 0 is needed`);
  return { ...profile, cluster: { ...profile.cluster, peerDownMs: Number(text) } };
}
