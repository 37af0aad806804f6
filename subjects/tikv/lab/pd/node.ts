import type { Stage } from './forwarding.js';
import type { RegionReport, StoreStats } from './model.js';
import type { PauseOrder } from './pauses.js';
import type { Acceptance } from './regions.js';
import type { OperatorOrder } from './schedule/hand.js';
import type { OrderStream } from './schedule/order.js';
import type { Applied, Command } from './state.js';
import type { Timestamp } from './tso.js';
import type { PdView } from './view.js';

/** What became of a wish to move the leadership. */
export type TransferOutcome = 'moved' | 'no-target' | 'too-slow';

/** What a member offers to its HTTP and gRPC sides. Changes succeed only on the leader. */
export interface PdNode {
  readonly stage: Stage;
  view(reachable?: ReadonlySet<string>): PdView;
  /** @throws ProposalLost */
  propose(command: Command): Promise<Applied>;
  /** Lets a scheduler or checker rest, in the memory of this leader. @throws ProposalLost if it does not lead */
  pause(order: PauseOrder): void;
  /** Drops a region from this member's cache; its leader's next heartbeat brings it back. */
  forgetRegion(id: number): void;
  /** @throws ProposalLost */
  allocateId(): Promise<number>;
  /** @throws ProposalLost */
  timestamp(count: number): Promise<Timestamp>;
  hearStore(storeId: number, stats: StoreStats): void;
  hearRegion(report: RegionReport): Acceptance;
  /** Starts an operator by hand, or cancels the one of a region; `refused` if there is none or it cannot be. @throws ProposalLost */
  operate(order: OperatorOrder): Promise<'done' | 'refused'>;
  /** Binds a heartbeat stream to a store: it gets the store's orders, in place of the one before. */
  bindStream(storeId: number, stream: OrderStream): void;
  /** Has the store a stream under this leader? */
  isBound(storeId: number): boolean;
  /** Resolves once this member has seen all that was agreed on before the call; hangs while a majority is away. */
  read(): Promise<boolean>;
  /** The names of the members that answer now. */
  ping(): Promise<ReadonlySet<string>>;
  /** Moves the Raft leadership, and PD's with it, to a named member or to any other. */
  transfer(to: string | null): Promise<TransferOutcome>;
}
