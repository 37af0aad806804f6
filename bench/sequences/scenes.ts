/** How the fault of a recording of a real cluster is played again on a lab. */
export interface FaultScene {
  /** As chaos knows it; recordings have the same name. */
  readonly fault: string;
  /** Seconds from the fault to its healing, in times of the profile `real`. */
  readonly heldS: number;
  /** Seconds that are watched after the healing. */
  readonly watchedS: number;
  /** Age of the target's last heartbeat when it is hit, where that decides when PD misses it. */
  readonly heartbeatAgeS?: number;
}

/** Hit as the real ones were; a scene holds and watches until the last event that the real cluster showed had its time. */
export const SCENES: readonly FaultScene[] = [
  { fault: 'node_kill', heldS: 40, watchedS: 45, heartbeatAgeS: 5 },
  { fault: 'process_pause', heldS: 60, watchedS: 20, heartbeatAgeS: 4 },
  { fault: 'pd_leader_kill', heldS: 30, watchedS: 20 },
];
