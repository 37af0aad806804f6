import { proxySinks, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { confidenceOf, leading } from '../../src/domain/board.js';
import { causeName } from '../../src/domain/cause.js';
import { type EvidenceId, evidenceId, type Instant, instant } from '../../src/domain/ids.js';
import { isClosed, type Move, nextPhase, type OpenPhase } from '../../src/domain/phases.js';
import { type Progress, warningOf } from '../../src/domain/progress.js';
import type { Ticket } from '../../src/domain/ticket.js';
import { targetOf } from '../../src/domain/ticket.js';
import { extend, type Happening } from '../../src/domain/trail.js';
import type { Moment } from '../../src/domain/waits.js';
import type { Ending, StorySinks, TicketTimes } from '../contract.js';
import { ATTRIBUTES } from '../ticket-start.js';
import { currentDetails } from './details.js';

const { story } = proxySinks<StorySinks>();

/** How a person wants it to go on: ended, or theirs. */
export interface Wish extends Ending {
  readonly kind: 'abort' | 'close' | 'take';
  /** No further step of a plan begins; the one that runs is let to end. */
  readonly stopsPlan?: true;
}

/**
 * One ticket while it runs. Holds the only mutable reference to its state; every change goes through these few verbs,
 * and everything that happens is told through `happen`.
 */
export class TicketRun {
  /** An abort, a close or a take that has arrived and is not carried out yet. */
  wish: Wish | null = null;
  /** A command may be running. */
  isActing = false;
  /** What happens next if nobody answers; empty while nobody is awaited. */
  ahead: readonly Moment[] = [];
  /** Cancels the step that is being carried out; set by the main loop. */
  interrupt: () => void = () => {};
  private allotted: number;

  constructor(
    private state: Ticket,
    readonly times: TicketTimes,
  ) {
    // Not the number of them: an id whose look failed for good is never given out again.
    this.allotted = Math.max(0, ...state.evidence.map(({ id }) => Number(id.slice(1))));
  }

  get ticket(): Ticket {
    return this.state;
  }

  /** The present phase of a ticket that is not closed; the main loop asks only then. */
  get openPhase(): OpenPhase | null {
    return isClosed(this.state.phase) ? null : this.state.phase;
  }

  now(): Instant {
    return instant(Date.now());
  }

  /** Records one event and tells it to whoever listens. */
  happen(happening: Happening): void {
    const { trail, event } = extend(this.state.trail, this.now(), happening);
    this.state = { ...this.state, trail };
    story.event(this.state.id, event);
  }

  change(part: Partial<Omit<Ticket, 'phase' | 'trail' | 'id'>>): void {
    this.state = { ...this.state, ...part };
  }

  /** The only writer of the phase. */
  move(why: Move, because: string): void {
    const from = this.state.phase;
    const to = nextPhase(from, why);
    this.state = { ...this.state, phase: to };
    this.happen({ type: 'moved', from, to, why, because });
    this.show(because);
  }

  /** Makes the Temporal UI tell the present state. */
  show(awaiting: string): void {
    const belief = leading(this.state.board);
    const target = targetOf(this.state);
    upsertSearchAttributes([
      { key: ATTRIBUTES.phase, value: this.state.phase },
      ...(belief ? [{ key: ATTRIBUTES.cause, value: causeName(belief.cause) }] : []),
      ...(target ? [{ key: ATTRIBUTES.target, value: target }] : []),
    ]);
    setCurrentDetails(currentDetails(this.state, awaiting));
  }

  /** The next evidence id of this ticket. */
  allot(): EvidenceId {
    this.allotted += 1;
    return evidenceId(this.allotted);
  }

  /** `process-dead/tikv-2 (0.95)` or null. */
  get belief(): { cause: string; confidence: number } | null {
    const first = leading(this.state.board);
    return first ? { cause: causeName(first.cause), confidence: confidenceOf(first) } : null;
  }

  /** Sends a refusal back to the reasoner, in words; the last ten are kept. */
  refuse(...reasons: readonly string[]): void {
    this.change({ refusals: [...this.state.refusals, ...reasons].slice(-10) });
  }

  /** The same, for what the trail has to tell, too. */
  sendBack(about: 'hypothesis' | 'conclusion' | 'repetition', ...reasons: readonly string[]): void {
    this.happen({ type: 'returned', about, missing: reasons });
    this.refuse(...reasons);
  }

  /** Takes what a turn brought; one that goes round in circles is told so. */
  account(progress: Progress): void {
    const warning = warningOf(this.state.progress, progress);
    this.change({ progress });
    if (warning) this.sendBack('repetition', warning);
  }
}
