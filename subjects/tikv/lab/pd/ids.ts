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
    while (this.#last >= this.#blockEnd) {
      this.#reserving ??= this.#reserve().finally(() => {
        this.#reserving = null;
      });
      await this.#reserving;
    }
    this.#last += 1;
    return this.#last;
  }

  async #reserve(): Promise<void> {
    const start = this.#options.end();
    await this.#options.propose({ kind: 'reserve-ids', end: start + BLOCK });
    this.#last = start;
    this.#blockEnd = start + BLOCK;
  }
}
