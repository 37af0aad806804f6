/** A scheduler or a checker that rests. Unix nanoseconds. */
export interface Pause {
  readonly fromNs: bigint;
  readonly untilNs: bigint;
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
    const untilNs = atNs + BigInt(Math.trunc(seconds)) * 1_000_000_000n;
    if (untilNs > atNs) this.#pauses.set(name, { fromNs: atNs, untilNs });
    else this.#pauses.delete(name);
  }

  /** Null if it does not rest at `nowNs`. */
  at(name: string, nowNs: bigint): Pause | null {
    const pause = this.#pauses.get(name);
    return pause !== undefined && pause.untilNs > nowNs ? pause : null;
  }
}

/** Checkers and schedulers have names of their own: `rule` is a checker, `label-scheduler` a scheduler. */
export const checkerPause = (name: string): string => `checker/${name}`;
