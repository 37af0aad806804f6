import type { Message, NodeId } from '../../../../../../subjects/tikv/lab/raft/types.js';
import type { Random } from './random.js';
import { TICK } from './time.js';

/** How bad the wire is, apart from cut links. Probabilities per message. */
export interface Weather {
  loss: number;
  repeat: number;
  /** Longest usual delay in units of time; every delay is drawn anew, so messages overtake each other. */
  maxDelay: number;
  /** A message that turns up after everybody has forgotten about it; each direction of a link is a straggler's or not. */
  straggle: number;
}

/** Directed links, so a member can be deaf without being mute. */
export class Network {
  private readonly cut = new Set<string>();
  private readonly slow = new Map<string, boolean>();

  constructor(
    private readonly random: Random,
    public weather: Weather,
  ) {}

  block(from: NodeId, to: NodeId): void {
    this.cut.add(`${from}>${to}`);
  }

  isCut(from: NodeId, to: NodeId): boolean {
    return this.cut.has(`${from}>${to}`);
  }

  heal(): void {
    this.cut.clear();
  }

  /** Delays after which copies of the message arrive; empty if it is lost. */
  arrivals({ from, to }: Message): number[] {
    const { loss, repeat } = this.weather;
    if (this.isCut(from, to) || this.random.chance(loss)) return [];
    return this.random.chance(repeat) ? [this.delay(from, to), this.delay(from, to)] : [this.delay(from, to)];
  }

  private delay(from: NodeId, to: NodeId): number {
    const { straggle, maxDelay } = this.weather;
    return this.isSlow(`${from}>${to}`) && this.random.chance(straggle)
      ? this.random.between(5 * TICK, 25 * TICK)
      : this.random.between(1, maxDelay);
  }

  private isSlow(link: string): boolean {
    const slow = this.slow.get(link) ?? this.random.chance(0.5);
    this.slow.set(link, slow);
    return slow;
  }
}
