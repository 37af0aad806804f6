import type { NodeId } from '../../subjects/tikv/lab/raft/types.js';
import { Random } from './random.js';
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

interface Link {
  readonly random: Random;
  readonly straggles: boolean;
  cut: boolean;
}

/** Directed links, so a member can be deaf without being mute. */
export class Network {
  private readonly links = new Map<NodeId, Map<NodeId, Link>>();
  /** Everything sent to this member takes as long as a straggler's. */
  private slow: NodeId | null = null;

  constructor(
    private readonly seed: number,
    public weather: Weather,
  ) {}

  block(from: NodeId, to: NodeId): void {
    this.link(from, to).cut = true;
  }

  slowDown(member: NodeId): void {
    this.slow = member;
  }

  heal(): void {
    this.slow = null;
    for (const links of this.links.values()) for (const link of links.values()) link.cut = false;
  }

  isCut(from: NodeId, to: NodeId): boolean {
    return this.link(from, to).cut;
  }

  /** Delays after which copies of the message arrive; empty if it is lost. */
  arrivals(from: NodeId, to: NodeId): number[] {
    const link = this.link(from, to);
    const { loss, repeat } = this.weather;
    if (link.cut || link.random.chance(loss)) return [];
    const delay = this.delay(link, to);
    return link.random.chance(repeat) ? [delay, this.delay(link, to)] : [delay];
  }

  private delay({ random, straggles }: Link, to: NodeId): number {
    const { straggle, maxDelay } = this.weather;
    const isLate = to === this.slow || (straggles && random.chance(straggle));
    return isLate ? random.between(5 * TICK, 25 * TICK) : random.between(1, maxDelay);
  }

  private link(from: NodeId, to: NodeId): Link {
    return this.links.get(from)?.get(to) ?? this.lay(from, to);
  }

  private lay(from: NodeId, to: NodeId): Link {
    const random = Random.of(this.seed, `link ${from} ${to}`);
    const link = { random, straggles: random.chance(0.5), cut: false };
    const links = this.links.get(from) ?? new Map<NodeId, Link>();
    this.links.set(from, links.set(to, link));
    return link;
  }
}
