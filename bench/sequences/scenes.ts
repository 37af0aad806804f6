/** What is done to the lab. */
export type Harm =
  /** As chaos knows it. */
  | { readonly kind: 'fault'; readonly name: string }
  /** SIGTERM to the store that leads most, which is started again when it has ended. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'nothing' };

/** How a recording of a real cluster is played again on a lab. */
export interface FaultScene {
  /** Name of the recording of the real cluster. */
  readonly scene: string;
  readonly harm: Harm;
  /** Seconds from the fault to its healing, in times of the profile `real`. */
  readonly heldS: number;
  /** Seconds that are watched after the healing. */
  readonly watchedS: number;
  /** Age of the target's last heartbeat when it is hit, where that decides when PD misses it. */
  readonly heartbeatAgeS?: number;
}

const fault = (name: string): Harm => ({ kind: 'fault', name });

/** Hit as the real ones were; a scene holds and watches until the last event that the real cluster showed had its time. */
export const SCENES: readonly FaultScene[] = [
  { scene: 'baseline', harm: { kind: 'nothing' }, heldS: 60, watchedS: 0 },
  { scene: 'node_kill', harm: fault('node_kill'), heldS: 40, watchedS: 45, heartbeatAgeS: 5 },
  { scene: 'process_pause', harm: fault('process_pause'), heldS: 60, watchedS: 20, heartbeatAgeS: 4 },
  { scene: 'graceful_restart', harm: { kind: 'restart' }, heldS: 30, watchedS: 20 },
  { scene: 'pd_leader_kill', harm: fault('pd_leader_kill'), heldS: 30, watchedS: 20 },
  { scene: 'two_pds_killed', harm: fault('two_pds_down'), heldS: 46, watchedS: 30 },
  { scene: 'leader_concentration', harm: fault('leader_concentration'), heldS: 60, watchedS: 20 },
  { scene: 'leader_concentration_grant', harm: fault('leader_concentration_grant'), heldS: 28, watchedS: 20 },
  { scene: 'store_offline_by_mistake', harm: fault('store_offline_by_mistake'), heldS: 41, watchedS: 20 },
];
