/** A scheduler or a checker that rests. Unix seconds: PD counts pauses in full ones. */
export interface Pause {
  readonly from: number;
  readonly until: number;
}

/** What is to rest, or to go on. `seconds` of 0 and less end a pause. */
export interface PauseOrder {
  readonly name: string;
  readonly seconds: number;
}

/** Pauses of one leader. They are in its memory only: the next leader knows none of them, as with PD. */
export class Pauses {
  readonly #pauses = new Map<string, Pause>();

  /** A new order replaces the old one. */
  take({ name, seconds }: PauseOrder, atNs: bigint): void {
    const from = secondsOf(atNs);
    this.#pauses.set(name, { from, until: from + seconds });
  }

  /** Null if it does not rest at `nowNs`. */
  at(name: string, nowNs: bigint): Pause | null {
    const pause = this.#pauses.get(name);
    return pause !== undefined && pause.until > secondsOf(nowNs) ? pause : null;
  }
}

/** Checkers and schedulers have names of their own: `rule` is a checker, `label-scheduler` a scheduler. */
export const checkerPause = (name: string): string => `checker/${name}`;

function secondsOf(ns: bigint): number {
  return Number(ns / 1_000_000_000n);
}
