import type { Stage } from './forwarding.js';
import type { Group } from './group.js';
import type { Log } from './log.js';

/** Notices how far a member has come in its group since it started, and changes of the Raft leader. */
export class RaftWatch {
  /** Resolves once a Raft leader was heard of; until then etcd answers nobody. */
  readonly joined: Promise<void>;
  readonly #log: Log;
  #onJoined: () => void = () => undefined;
  #stage: Stage = 'starting';
  #leader: string | null = null;
  #leaderChanges = 0;

  constructor(options: { readonly log: Log }) {
    this.#log = options.log;
    this.joined = new Promise((resolve) => {
      this.#onJoined = resolve;
    });
  }

  get stage(): Stage {
    return this.#stage;
  }

  get leaderChanges(): number {
    return this.#leaderChanges;
  }

  /** To be called after every change in the group. */
  look({ raft, state }: Group): void {
    if (raft.leader === null) return;
    this.#onJoined();
    if (state.clusterId !== null && raft.appliedIndex >= raft.commitIndex) this.#stage = 'started';
    if (raft.leader === this.#leader) return;
    this.#leader = raft.leader;
    this.#leaderChanges += 1;
    const fields = { leader: raft.leader, term: raft.term };
    this.#log({ level: 'INFO', source: 'raft.go:1', message: 'raft leader changed', fields });
  }
}
