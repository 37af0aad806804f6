/** What a store remembers of its part in a region beside the Raft log, in one write with it. */
export interface PeerNote {
  /** The newest peer of the region on this store. Ids rise, so every other one that a message names is older. */
  readonly peer: number;
  /** `conf_ver` of a configuration to which the peer belonged: one that is newer and lacks it has removed it. */
  readonly since: number;
  /** It was removed, and its data with it (TiKV: `PeerState::Tombstone`). */
  readonly gone?: true;
}

export function encodeNote(note: PeerNote): string {
  return JSON.stringify(note);
}

/** @throws SyntaxError for a text that {@link encodeNote} did not make */
export function decodeNote(text: string): PeerNote {
  return JSON.parse(text) as PeerNote;
}
