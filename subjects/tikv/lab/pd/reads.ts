import type { RaftMember } from '../raft/member.js';
import type { PeerBody, PeerMessage } from './peer-messages.js';

export interface ReadsOptions {
  readonly raft: RaftMember;
  /** The other members of the group as it is now. */
  readonly others: () => readonly string[];
  readonly send: (to: string, body: PeerBody) => void;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** A round whose answers were lost for so long is of no use to anyone: whoever waits has asked again. */
const FORGET_ROUND_MS = 10_000;

interface Round {
  readonly term: number;
  readonly startedMs: number;
  readonly index: number;
  readonly agreed: Set<string>;
  readonly done: (confirmed: Confirmed) => void;
}

interface PendingRead {
  readonly id: number;
  readonly done: () => void;
  index: number | null;
}

/** A majority agreed, some time after `askedAtMs`, that this member leads; everything up to `index` is committed. */
export interface Confirmed {
  readonly askedAtMs: number;
  readonly index: number;
}

/**
 * Linearizable reads as etcd does them: the Raft leader asks everybody whether it still leads, a follower asks the
 * leader. While a majority is away the question stays open, which is why such reads hang.
 */
export class Reads {
  readonly #options: ReadsOptions;
  readonly #rounds = new Map<number, Round>();
  readonly #pending = new Map<number, PendingRead>();
  #next = 0;
  #readableTerm = -1;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  /** Asks once. Never answered if this member does not lead, or if no majority is there. */
  confirm(): Promise<Confirmed> {
    const { raft, others, send, nowMs } = this.#options;
    const round = this.#next++;
    return new Promise((done) => {
      if (!this.#mayConfirm()) return;
      this.#rounds.set(round, {
        term: raft.term,
        startedMs: nowMs(),
        index: raft.commitIndex,
        agreed: new Set([raft.id]),
        done,
      });
      for (const name of others()) send(name, { kind: 'confirm', round, term: raft.term });
    });
  }

  /** Resolves when this member's state is at least as new as the group's was at the call; `false` after `withinMs`. */
  read(withinMs: number): Promise<boolean> {
    const id = this.#next++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish(id, () => resolve(false)), withinMs);
      const done = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#pending.set(id, { id, done, index: null });
      this.#ask(id);
    });
  }

  /** Asks again what is still open, of whoever leads now. To be called on every tick and after every change. */
  retry(): void {
    const { raft, nowMs } = this.#options;
    for (const [round, { term, startedMs }] of this.#rounds) {
      const over = raft.role !== 'leader' || raft.term !== term || nowMs() - startedMs > FORGET_ROUND_MS;
      if (over) this.#rounds.delete(round);
    }
    for (const { id, index, done } of this.#pending.values()) {
      if (index === null) this.#ask(id);
      else if (raft.appliedIndex >= index) this.#finish(id, done);
    }
  }

  hear(message: PeerMessage): void {
    const { raft, send } = this.#options;
    if (message.kind === 'confirm' && raft.term === message.term && raft.leader === message.from) {
      send(message.from, { kind: 'confirmed', round: message.round, term: message.term });
    }
    if (message.kind === 'confirmed') this.#count(message);
    if (message.kind === 'read') {
      void this.confirm().then(({ index }) => send(message.from, { kind: 'read-at', id: message.id, index }));
    }
    if (message.kind === 'read-at') this.#settle(message.id, message.index);
  }

  /**
   * A leader knows what is committed once it committed something of its own term; the core says so with its first read
   * index. After that the answers of this round count, not the core's lease.
   */
  #mayConfirm(): boolean {
    const { raft } = this.#options;
    if (raft.readIndex() !== null) this.#readableTerm = raft.term;
    return raft.role === 'leader' && raft.term === this.#readableTerm;
  }

  #ask(id: number): void {
    const { raft, send } = this.#options;
    if (raft.role === 'leader') void this.confirm().then(({ index }) => this.#settle(id, index));
    else if (raft.leader !== null) send(raft.leader, { kind: 'read', id });
  }

  #count({ from, round, term }: { readonly from: string; readonly round: number; readonly term: number }): void {
    const open = this.#rounds.get(round);
    if (open === undefined || open.term !== term) return;
    open.agreed.add(from);
    if (open.agreed.size * 2 <= this.#options.others().length + 1) return;
    this.#rounds.delete(round);
    open.done({ askedAtMs: open.startedMs, index: open.index });
  }

  #settle(id: number, index: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    pending.index = index;
    this.retry();
  }

  #finish(id: number, done: () => void): void {
    this.#pending.delete(id);
    done();
  }
}
