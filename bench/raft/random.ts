/** Taken once: a global is slow to look up in jest's module context, and these run millions of times. */
const { imul, floor } = Math;

/** Seeded source of everything that looks like chance in a simulation (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /**
   * A source of its own for each thing that has chances. Taking an event out of a schedule then leaves the chances of
   * everything else as they were, so that a shrunk schedule fails in the same way.
   */
  static of(seed: number, name: string): Random {
    let mixed = seed >>> 0;
    for (let at = 0; at < name.length; at += 1) mixed = imul(mixed ^ name.charCodeAt(at), 0x01000193) >>> 0;
    return new Random(mixed);
  }

  /** Uniform in [0, 1). A property, so it can be handed to a node as it is. */
  readonly next = (): number => {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number with `low <= n <= high`. */
  between(low: number, high: number): number {
    return low + floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** Throws on an empty list. */
  pick<T>(items: readonly T[]): T {
    const item = items[floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}
