import type { StoreLimit } from '../model.js';
import { DEFAULT_LIMIT, type PdState } from '../state.js';
import type { Draft } from './operator.js';
import type { Step } from './step.js';

export type LimitKind = keyof StoreLimit;

/** Cost of a peer of a region of more than 20 MiB, of one up to that, and of an empty one (PD: `storelimit`). */
const WHOLE = 1_000;
const SMALL = 200;
const SMALL_MIB = 20;
const EMPTY_MIB = 1;
/** A limit from here on is none (PD: `storelimit.Unlimited`). */
const UNLIMITED = 100_000_000;

interface Bucket {
  readonly perMinute: number;
  readonly tokens: number;
  readonly atMs: number;
}

export interface LimitsOptions {
  readonly minuteMs: number;
  readonly state: () => Pick<PdState, 'limits'>;
  readonly nowMs: () => number;
}

/** How many peers a store may take and lose per minute: one bucket for each store and direction, full at first. */
export class StoreLimits {
  readonly #options: LimitsOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /** Is there room for a whole region? A store without it is no place to move one to or from. */
  hasRoom(storeId: number, kind: LimitKind): boolean {
    return this.#hasTokens(storeId, kind, WHOLE);
  }

  /** Charges a draft, all of it or, if one store has too little, nothing. */
  take({ steps, report }: Draft): boolean {
    const cost = costOf(report.approximateSize);
    const charges = steps.map(limitedBy).filter((charge) => charge !== null);
    if (!charges.every(({ storeId, kind }) => this.#hasTokens(storeId, kind, cost))) return false;
    for (const { storeId, kind } of charges) this.#spend(storeId, kind, cost);
    return true;
  }

  #hasTokens(storeId: number, kind: LimitKind, cost: number): boolean {
    const { perMinute, tokens } = this.#bucket(storeId, kind);
    return cost === 0 || perMinute >= UNLIMITED || tokens >= cost;
  }

  #spend(storeId: number, kind: LimitKind, cost: number): void {
    const bucket = this.#bucket(storeId, kind);
    this.#buckets.set(`${kind}/${storeId}`, { ...bucket, tokens: bucket.tokens - cost });
  }

  /** As it is now. A limit that somebody changed begins with a full bucket. */
  #bucket(storeId: number, kind: LimitKind): Bucket {
    const { minuteMs, state } = this.#options;
    const atMs = this.#options.nowMs();
    const perMinute = { ...DEFAULT_LIMIT, ...state().limits[storeId] }[kind];
    const known = this.#buckets.get(`${kind}/${storeId}`);
    const capacity = capacityOf(perMinute);
    if (known === undefined || known.perMinute !== perMinute) return { perMinute, tokens: capacity, atMs };
    const gained = ((atMs - known.atMs) / minuteMs) * perMinute * WHOLE;
    return { perMinute, atMs, tokens: Math.min(capacity, known.tokens + gained) };
  }
}

/** One whole region, or what comes in a second if that is more. */
function capacityOf(perMinute: number): number {
  return Math.max(1, perMinute / 60) * WHOLE;
}

function costOf(sizeMib: number): number {
  if (sizeMib <= EMPTY_MIB) return 0;
  return sizeMib <= SMALL_MIB ? SMALL : WHOLE;
}

/** What a step costs of a store's limit, null if nothing. */
function limitedBy(step: Step): { readonly storeId: number; readonly kind: LimitKind } | null {
  if (step.kind === 'add-learner') return { storeId: step.storeId, kind: 'add-peer' };
  return step.kind === 'remove-peer' ? { storeId: step.storeId, kind: 'remove-peer' } : null;
}
