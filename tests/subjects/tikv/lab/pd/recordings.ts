import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'lossless-json';
import { packageRoot } from '../../../../../subjects/tikv/lab/assets.js';

export type Scenario =
  | 'admin'
  | 'config-changes'
  | 'healthy'
  | 'leader-concentration'
  | 'store-heartbeats-only-missing'
  | 'store-join'
  | 'store-silent-3-stores'
  | 'store-slow-and-full'
  | 'stores-two-of-three-silent'
  | 'healthy-follower'
  | 'hot-regions'
  | 'not-bootstrapped'
  | 'operators'
  | 'pd-leader-killed'
  | 'pd-member-removed'
  | 'pd-members'
  | 'region-states'
  | 'scheduler-errors'
  | 'scheduler-evict-leader'
  | 'scheduler-grant-leader'
  | 'scheduler-pause'
  | 'store-errors'
  | 'store-force-remove'
  | 'store-offline'
  | 'store-remove-refused'
  | 'store-settings'
  | 'store-silent';

/** One recorded request and its answer. */
export interface Recording {
  readonly scenario: Scenario;
  /** `<scenario>/<file without .json>`, the name used in lists. */
  readonly name: string;
  readonly seq: number;
  readonly recordedAt: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly member: string;
    readonly role: string;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: unknown;
    readonly body_format: 'json' | 'text' | 'empty';
  };
}

export const FIXTURES = join(packageRoot(import.meta.dirname), 'tests/fixtures/pd-recordings');

/** JSON with whole numbers above 2^53 as bigint and everything else as JavaScript has it. */
export function parseExact(text: string): unknown {
  return parse(text, undefined, { parseNumber: exactNumber });
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^\d+$/.test(text) ? BigInt(text) : value;
}

const known = new Map<Scenario, readonly Recording[]>();

/** All requests of a scenario in the order in which they were asked. */
export function recordingsOf(scenario: Scenario): readonly Recording[] {
  const recordings = known.get(scenario) ?? read(scenario);
  known.set(scenario, recordings);
  return recordings;
}

function read(scenario: Scenario): Recording[] {
  return readdirSync(join(FIXTURES, scenario))
    .filter((file) => !/^(timeline|trials)/.test(file))
    .map((file) => {
      const name = `${scenario}/${file.replace(/\.json$/, '')}`;
      const raw = parseExact(readFileSync(join(FIXTURES, scenario, file), 'utf8')) as Recording & {
        recorded_at: string;
      };
      return { ...raw, recordedAt: raw.recorded_at, scenario, name };
    })
    .sort((a, b) => a.recordedAt.localeCompare(b.recordedAt) || a.seq - b.seq);
}

/** The part of a recording's name behind `~`: when it was asked. */
export function momentOf({ name }: Recording): string {
  return name.split('~')[1] ?? '';
}
