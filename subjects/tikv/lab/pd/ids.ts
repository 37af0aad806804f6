import type { Applied, Command } from './state.js';

/** PD reserves ids in blocks, so that handing one out needs no disk; the rest of a block is lost with its leader. */
const BLOCK = 1000;

export interface IdsOptions {
  /** The end of the last reserved block, as applied here. */
  readonly end: () => number;
  readonly propose: (command: Command) => Promise<Applied>;
}

/** One leader's ids. A new leader starts behind the last block, so ids rise but jump. */
export class Ids {
  readonly #options: IdsOptions;
  #last: number;
  #blockEnd: number;
  #reserving: Promise<void> | null = null;

  constructor(options: IdsOptions) {
    this.#options = options;
    this.#last = options.end();
    this.#blockEnd = this.#last;
  }

  /** @throws ProposalLost if a new block is due and no majority takes it */
  async allocate(): Promise<number> {
    await this.reserve();
    return this.take() ?? this.allocate();
  }

  /** An id at once; null while the next block is being reserved, which begins with this call. */
  take(): number | null {
    if (this.#last < this.#blockEnd) {
      this.#last += 1;
      return this.#last;
    }
    this.reserve().catch(() => undefined);
    return null;
  }

  /** Resolves when there is an id to take. @throws ProposalLost if no majority takes the new block */
  async reserve(): Promise<void> {
    while (this.#last >= this.#blockEnd) {
      this.#reserving ??= this.#reserve().finally(() => {
        this.#reserving = null;
      });
      await this.#reserving;
    }
  }

  async #reserve(): Promise<void> {
    const start = this.#options.end();
    await this.#options.propose({ kind: 'reserve-ids', end: start + BLOCK });
    this.#last = start;
    this.#blockEnd = start + BLOCK;
  }
}
