/** The process group of a detached child: the child and all it started that did not leave it. */
export class ProcessGroup {
  readonly #id: number;

  /** @param id - pid of the child that leads it */
  constructor(id: number) {
    this.#id = id;
  }

  /** `false` when nobody was there to get it. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    return this.#kill(signal);
  }

  get isAlive(): boolean {
    return this.#kill(0);
  }

  #kill(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#id, signal);
      return true;
    } catch (error) {
      // EPERM: somebody is there, under another user.
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }
}
