import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MedicError } from '../../../../src/domain/errors.js';
import { PROFILES, type ProfileName } from '../../profiles.js';
import type { NodeScripts } from './start-line.js';
import { type LabShape, maxStores } from './topology.js';

/** labd's command line. */
export interface LabdOptions {
  readonly dir: string;
  readonly profile: ProfileName;
  /** Sizes asked for; what is left out is as the lab was made, or 3 PDs, 4 stores, 24 regions that hold what is written. */
  readonly wished: Partial<LabShape>;
  /** First of the lab's ports; undefined takes the next free block. */
  readonly basePort: number | undefined;
  /** `pipe`: labd ends when its stdin closes, so it cannot outlive its parent. `none` (`--detach`): it stays. */
  readonly leash: 'pipe' | 'none';
  readonly scripts: NodeScripts;
}

/** The defaults of a new lab. */
export const DEFAULT_SHAPE: LabShape = { pds: 3, stores: 4, regions: 24, regionMib: 0 };

const OPTIONS = {
  dir: { type: 'string' },
  profile: { type: 'string', default: 'fast' },
  pds: { type: 'string' },
  stores: { type: 'string' },
  regions: { type: 'string' },
  'region-mib': { type: 'string' },
  'base-port': { type: 'string' },
  detach: { type: 'boolean', default: false },
  'pd-main': { type: 'string' },
  'store-main': { type: 'string' },
} as const;

/** @throws MedicError `MEDIC_USAGE` that names the option and the value got */
export function parseLabdOptions(argv: readonly string[]): LabdOptions {
  const values = parse(argv);
  if (values.dir === undefined) throw usage('--dir is missing: the folder of the lab');
  const pds = count('--pds', values.pds, { min: 1, max: 7 });
  return {
    dir: resolve(values.dir),
    profile: profile(values.profile),
    wished: {
      pds,
      stores: count('--stores', values.stores, { min: 3, max: maxStores(pds ?? DEFAULT_SHAPE.pds) }),
      regions: count('--regions', values.regions, { min: 1, max: 100 }),
      regionMib: count('--region-mib', values['region-mib'], { min: 0, max: 1_000 }),
    },
    basePort: count('--base-port', values['base-port'], { min: 1024, max: 65_500 }),
    leash: values.detach ? 'none' : 'pipe',
    scripts: {
      pd: values['pd-main'] ?? fileURLToPath(new URL('../pd/main.js', import.meta.url)),
      store: values['store-main'] ?? fileURLToPath(new URL('../store/main.js', import.meta.url)),
    },
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function profile(text: string): ProfileName {
  if (text in PROFILES) return text as ProfileName;
  throw usage(`--profile ${text}: there are ${Object.keys(PROFILES).join(' and ')}`);
}

function count(
  option: string,
  text: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw usage(`${option} ${text}: a number from ${min} to ${max} is needed`);
}

function usage(message: string): MedicError {
  return new MedicError('MEDIC_USAGE', message, 'See docs/lab.md.');
}
