import type { PdLeadership, PdStore, Store, TikvPicture } from '../picture.js';
import { ageIn, timesOf } from './look-up.js';
import { ageWords } from './words.js';

/** What PD thinks of a store, with PD's own blindness taken out. */
export type PdOpinion =
  /** Nothing can be concluded: PD is unreadable, or its leader is too new to know. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** PD does not list it: never joined, or removed. */
  | { readonly kind: 'unlisted' }
  /** `silentMs`: since its last heartbeat; `null`: there never was one. */
  | { readonly kind: 'listed'; readonly store: PdStore; readonly silentMs: number | null };

/**
 * A PD leader keeps heartbeats in memory. One that has just taken over shows every store as Disconnected, with ages of
 * minutes, until it has had a heartbeat of each; so silence counts from its first moment, and before a store could have
 * become Disconnected under this leader nothing is known.
 */
export function pdOpinionOf(picture: TikvPicture, { pd }: Store): PdOpinion {
  if (!pd.known) return { kind: 'unknown', why: `PD unreadable: ${pd.reason}` };
  if (pd.value === null) return { kind: 'unlisted' };
  const blindness = isSilent(pd.value) ? blindnessOf(picture, pd.value) : null;
  if (blindness !== null) return { kind: 'unknown', why: blindness };
  const { lastHeartbeat } = pd.value;
  return { kind: 'listed', store: pd.value, silentMs: lastHeartbeat === null ? null : ageIn(picture, lastHeartbeat) };
}

/** `Up`, and heard of within the time after which PD would call it Disconnected. */
export function isFreshlyUp(picture: TikvPicture, opinion: PdOpinion): boolean {
  if (opinion.kind !== 'listed' || opinion.store.state !== 'Up') return false;
  return opinion.silentMs !== null && opinion.silentMs <= timesOf(picture).disconnectedMs;
}

/** Why the PD leader cannot know better yet; `null` when it can. */
export function youthOfLeader(picture: TikvPicture, withinMs: number): string | null {
  const { leadership } = picture.vitals;
  if (!leadership.known) return `PD unreadable: ${leadership.reason}`;
  const { leader, etcdLeader, seenBy, seenSince } = leadership.value;
  if (leader !== etcdLeader) return `PD is changing its leader (${leader ?? 'none'}, etcd ${etcdLeader ?? 'none'})`;
  const ledMs = ageIn(picture, seenSince);
  return seenBy === 'change' && ledMs <= withinMs ? `${leader} has led PD for ${ageWords(ledMs)} only` : null;
}

const isSilent = ({ state }: PdStore): boolean => state === 'Disconnected' || state === 'Down';

function blindnessOf(picture: TikvPicture, store: PdStore): string | null {
  const { leadership } = picture.vitals;
  if (!leadership.known) return `PD unreadable: ${leadership.reason}`;
  if (store.lastHeartbeat === null) return firstHeartbeatNotDue(picture, store);
  if (hasHeardOf(leadership.value, store)) return null;
  const ledMs = ageIn(picture, leadership.value.seenSince);
  if (ledMs > timesOf(picture).disconnectedMs) return null;
  return `PD's leader ${leadership.value.leader ?? '-'} is known for ${ageWords(ledMs)} and had no heartbeat of it yet`;
}

/** The scores of a store are in the leader's memory only, so a score means that this very leader had a heartbeat. */
function hasHeardOf({ seenSince, seenBy }: PdLeadership, { lastHeartbeat, slowScore }: PdStore): boolean {
  if (lastHeartbeat !== null && lastHeartbeat >= seenSince) return true;
  return seenBy === 'first-look' && slowScore !== null;
}

/** A store registers first and sends its first heartbeat one interval later; until then PD calls it Down. */
function firstHeartbeatNotDue(picture: TikvPicture, { startedAt }: PdStore): string | null {
  if (startedAt === null) return null;
  const sinceStart = ageIn(picture, startedAt);
  if (sinceStart > 2 * timesOf(picture).storeHeartbeatMs) return null;
  return `it started ${ageWords(sinceStart)} ago and its first heartbeat is not due yet`;
}
