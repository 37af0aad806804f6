interface Item {
  at: number;
  order: number;
  run: () => void;
}

/** Events in virtual time: a binary heap, first come first served at equal times. */
export class Agenda {
  now = 0;
  private readonly heap: Item[] = [];
  private count = 0;

  later(delay: number, run: () => void): void {
    this.count += 1;
    this.heap.push({ at: this.now + delay, order: this.count, run });
    this.rise(this.heap.length - 1);
  }

  /** Runs what is due up to `until` as long as `goOn()`. */
  run({ until, goOn }: { until: number; goOn: () => boolean }): void {
    while (goOn()) {
      const first = this.heap[0];
      if (!first || first.at > until) break;
      this.take();
      this.now = first.at;
      first.run();
    }
  }

  private take(): void {
    const last = this.heap.pop();
    if (last && this.heap.length > 0) {
      this.heap[0] = last;
      this.sink(0);
    }
  }

  private rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.swapIfEarlier(at, parent)) return;
      at = parent;
    }
  }

  private sink(start: number): void {
    for (let at = start; ; ) {
      const left = 2 * at + 1;
      const child = isEarlier(this.heap[left + 1], this.heap[left]) ? left + 1 : left;
      if (!this.swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  private swapIfEarlier(a: number, b: number): boolean {
    const first = this.heap[a];
    const second = this.heap[b];
    if (!first || !second || !isEarlier(first, second)) return false;
    this.heap[a] = second;
    this.heap[b] = first;
    return true;
  }
}

function isEarlier(first: Item | undefined, second: Item | undefined): boolean {
  if (!first || !second) return false;
  return first.at < second.at || (first.at === second.at && first.order < second.order);
}
