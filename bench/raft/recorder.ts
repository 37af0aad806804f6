import type { Operation } from '../linearizability/operation.js';

/** A write that a member took; unless somebody says that it is done, its outcome stays unknown. */
export interface PendingWrite {
  returned(): void;
}

/** A read that a member took; unless somebody answers it, it tells nothing. */
export interface PendingRead {
  returned(value: string | null): void;
}

const KEY = 'the register';

/** What the clients of a simulated group did and saw. Everything happens at a moment of its own, in the order of the calls here. */
export class Recorder {
  private readonly recorded: Operation[] = [];
  private moments = 0;

  get operations(): readonly Operation[] {
    return this.recorded;
  }

  write(value: string): PendingWrite {
    const write = {
      kind: 'write' as const,
      key: KEY,
      value,
      calledAt: this.moment(),
      returnedAt: null as number | null,
    };
    this.recorded.push(write);
    return {
      returned: () => {
        write.returnedAt = this.moment();
      },
    };
  }

  read(): PendingRead {
    const calledAt = this.moment();
    return {
      returned: (value) => {
        this.recorded.push({ kind: 'read', key: KEY, value, calledAt, returnedAt: this.moment() });
      },
    };
  }

  private moment(): number {
    this.moments += 1;
    return this.moments;
  }
}
