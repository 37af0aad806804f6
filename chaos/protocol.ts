import type { Lab } from '../subjects/tikv/lab/labd/client.js';
import type { LabRegions } from '../subjects/tikv/lab/labd/topology.js';

/** Is the fault still there, from the injector's side? `unknown` when the injector cannot look. */
export type Truth = 'present' | 'gone' | 'unknown';

/** A lab that passed `openOwnLab`: Medic made it, and its labd answered with its token. */
export interface ChaosLab {
  readonly labId: string;
  readonly lab: Lab;
}

/**
 * What to hit. `seeded` gives the same node for the same seed and the same running nodes.
 */
export type TargetWish =
  | { readonly pick: 'named'; readonly name: string }
  | { readonly pick: 'most-leaders' }
  | { readonly pick: 'seeded'; readonly seed: number };

/** One fault in one lab, as JSON: everything that is needed to ask about it and to heal it later, in another process. */
export interface Injection<Detail = unknown> {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
  readonly labId: string;
  readonly labDir: string;
  readonly at: string;
  readonly detail: Detail;
}

/** Whether a fault can be injected into a lab, and why not. */
export type Support = { readonly supported: true } | { readonly supported: false; readonly reason: string };

/** Whether the effect is really there, and what was seen. */
export interface Confirmation {
  readonly confirmed: boolean;
  readonly seen: string;
}

/** `nothing-to-do`: somebody else had repaired it already. */
export interface Healing {
  readonly outcome: 'healed' | 'nothing-to-do';
  readonly seen: string;
}

/** How a ticket about a fault has to end, with the operator that Medic is in the lab. */
export type RightEnd =
  /** Resolved and proven, and the fault is gone. */
  | { readonly kind: 'repaired' }
  /** Handed to a person, with the class of the cause in the brief. */
  | { readonly kind: 'escalated'; readonly cause: string }
  /** Over by itself: no act, and no ticket is right, too. */
  | { readonly kind: 'self-cleared' }
  | { readonly kind: 'no-ticket' };

/** One chaos type. */
export interface Fault<Detail = unknown> {
  /** As people type it: `node_kill`. */
  readonly name: string;
  /** One sentence for `chaos list`. */
  readonly describe: string;
  /** What can be named as target. */
  readonly targets: 'store' | 'pd-leader' | 'pd' | 'nothing';
  readonly rightEnd: RightEnd;
  /** What a lab that is made for it is to be like; any lab will do otherwise. */
  readonly wants?: LabRegions;
  supports(lab: ChaosLab): Promise<Support>;
  /**
   * @param record - is given the injection before any harm is done, so that a crash right after leaves it healable
   * @throws MedicError `MEDIC_CHAOS_TARGET` when the target does not exist or does not run
   */
  inject(options: {
    lab: ChaosLab;
    target: TargetWish;
    record: (injection: Injection<Detail>) => void;
  }): Promise<Injection<Detail>>;
  /** Waits a little for the effect. */
  confirm(injection: Injection<Detail>): Promise<Confirmation>;
  truth(injection: Injection<Detail>): Promise<Truth>;
  /** May be called again and again. */
  heal(injection: Injection<Detail>): Promise<Healing>;
}
