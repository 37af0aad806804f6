import { durationFault, goDuration, parseGoDuration } from './go-format.js';
import { goKind } from './go-json.js';
import type { SettingValue } from './setting-value.js';
import type { SectionName } from './settings.js';

/** A value that PD takes, in the form in which it shows it, or PD's complaint. */
export type Taken =
  | { readonly ok: true; readonly value: SettingValue }
  | { readonly ok: false; readonly fault: string };

export interface Offer {
  readonly section: SectionName;
  readonly name: string;
  /** PD's default, whose form tells the type. */
  readonly known: SettingValue;
  readonly value: unknown;
}

/** Go's names of the structs, as they stand in its complaints (PD: `server/config`). */
const STRUCTS: Readonly<Record<SectionName, string>> = {
  schedule: 'ScheduleConfig',
  replication: 'ReplicationConfig',
  'pd-server': 'PDServerConfig',
  log: 'Config',
};

/** Numbers that may have decimals; every other one is a whole number from 0 on. */
const FLOATS = [
  'tolerant-size-ratio',
  'low-space-ratio',
  'high-space-ratio',
  'slow-store-evicting-affected-store-ratio-threshold',
  'server-memory-limit',
  'server-memory-limit-gc-trigger',
  'gc-tuner-threshold',
];

/** Reads a value as Go's JSON decoder does with PD's field of that name. */
export function takeSetting(offer: Offer): Taken {
  const { known } = offer;
  if (typeof known === 'number') return takeNumber(offer);
  if (known === 'true' || known === 'false') return takeBoolean(offer.value);
  if (isDuration(known)) return takeDuration(offer.value);
  return takeText(offer);
}

function takeNumber({ section, name, value }: Offer): Taken {
  const type = FLOATS.includes(name) ? 'float64' : 'uint64';
  const fits = typeof value === 'number' && (type === 'float64' || (Number.isInteger(value) && value >= 0));
  if (fits) return { ok: true, value };
  const got = typeof value === 'number' ? `number ${value}` : goKind(value);
  return fault(`json: cannot unmarshal ${got} into Go struct field ${STRUCTS[section]}.${name} of type ${type}`);
}

/** PD's booleans are text (Go: the tag `,string`). */
function takeBoolean(value: unknown): Taken {
  if (value === 'true' || value === 'false') return { ok: true, value };
  const tried = typeof value === 'string' ? JSON.stringify(value) : 'unquoted value';
  return fault(`json: invalid use of ,string struct tag, trying to unmarshal ${tried} into bool`);
}

function takeDuration(value: unknown): Taken {
  if (typeof value !== 'string') return fault('invalid syntax');
  const nanos = parseGoDuration(value);
  return nanos === null
    ? fault(durationFault(value) ?? 'invalid syntax')
    : { ok: true, value: goDuration(BigInt(Math.round(nanos))) };
}

/** `location-labels` is a list to PD, and one text with commas to its API. */
function takeText({ section, name, value }: Offer): Taken {
  if (typeof value === 'string') return { ok: true, value };
  if (name === 'location-labels') return fault('invalid syntax');
  const field = `${STRUCTS[section]}.${name}`;
  return fault(`json: cannot unmarshal ${goKind(value)} into Go struct field ${field} of type string`);
}

function isDuration(text: string): boolean {
  return /\d(ns|µs|ms|[smh])$/.test(text) && parseGoDuration(text) !== null;
}

function fault(text: string): Taken {
  return { ok: false, fault: text };
}
