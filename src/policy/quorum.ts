import { between, type Instant, type Target } from '../domain/ids.js';
import type { Verdict } from '../domain/reading.js';
import { actedOn, impairedElsewhere } from './impaired.js';
import type { Group, QuorumPicture } from './quorum-picture.js';
import type { Influence } from './row.js';

export interface QuorumQuestion {
  readonly picture: QuorumPicture;
  readonly influence: Influence;
  readonly now: Instant;
  /** Older facts prove nothing. */
  readonly maxPictureAgeMs: number;
}

/** `unproven`: nothing speaks against it, but the facts do not prove it either. */
export type QuorumAnswer = { readonly kind: 'holds' | 'broken' | 'unproven'; readonly reason: string };

/**
 * Would every group keep its majority, and is nothing else impaired? Knows groups and members, not what they are.
 *
 * A live voter is one whose member is alive for certain and which holds a current copy: `unknown` liveness, a pending
 * peer, a member that the picture does not list are none.
 *
 * @returns with `broken` the counter-example for the refusal
 */
export function askQuorum(question: QuorumQuestion): QuorumAnswer {
  const { picture, influence } = question;
  const unreadable = whyUnreadable(question);
  if (unreadable) return { kind: 'unproven', reason: unreadable };
  const stranger = influence.takesAway.find((target) => !picture.members.some(({ id }) => id === target));
  if (stranger)
    return { kind: 'unproven', reason: `the picture knows no member ${stranger}, which would be taken away` };
  if (isAtFullStrength(picture) && influence.takesAway.length <= 1 && canLoseOne(picture, influence.takesAway)) {
    return { kind: 'holds', reason: 'nothing is impaired and every group is at full strength' };
  }
  const objections = [worstGroup(picture, influence.takesAway), secondMember(picture, influence)].filter(
    (o) => o !== null,
  );
  const objection = objections.find(({ kind }) => kind === 'broken') ?? objections[0];
  return objection ?? { kind: 'holds', reason: 'every group keeps its majority' };
}

/** Why the picture proves nothing: a gap in it, or its age. `null` when it can be relied on. */
export function whyUnreadable({ picture, now, maxPictureAgeMs }: Omit<QuorumQuestion, 'influence'>): string | null {
  if (picture.gap) return picture.gap;
  const ageMs = between(picture.observedAt, now);
  if (Number.isNaN(ageMs)) return 'the age of the picture is unknown';
  if (ageMs > maxPictureAgeMs) return `the picture is ${ageMs} ms old, more than ${maxPictureAgeMs} ms`;
  return ageMs < -maxPictureAgeMs ? `the picture is ${-ageMs} ms ahead of the clock` : null;
}

/** The group with the fewest live voters to spare; `null` when there is no group. */
export interface Margin {
  readonly group: string;
  readonly live: number;
  readonly voters: number;
  readonly need: number;
  /** `live - need` */
  readonly spare: number;
}

/** How close to losing its majority the tightest group is once `victims` are gone. */
export function tightest(picture: QuorumPicture, victims: readonly Target[]): Margin | null {
  const isLive = liveness(picture, victims);
  const margins = picture.groups.map((group) => {
    const live = group.voters.filter((voter) => isLive(group, voter) === 'yes').length;
    return { group: group.id, live, voters: group.voters.length, need: group.need, spare: live - group.need };
  });
  return margins.reduce<Margin | null>((least, one) => (least && least.spare <= one.spare ? least : one), null);
}

const isAtFullStrength = ({ groups, members }: QuorumPicture): boolean =>
  members.every(({ alive, impaired }) => alive === 'yes' && impaired === null) &&
  groups.every(({ voters, behind }) => behind.length === 0 && voters.every((v) => members.some(({ id }) => id === v)));

const canLoseOne = ({ groups }: QuorumPicture, victims: readonly Target[]): boolean =>
  groups.every(({ voters, need }) => voters.length - voters.filter((v) => victims.includes(v)).length >= need);

type IsLive = (group: Group, voter: Target) => Verdict;

/** Whether a voter would count, with the victims gone. */
function liveness({ members }: QuorumPicture, victims: readonly Target[]): IsLive {
  const alive = new Map(members.map((member) => [member.id, member.alive]));
  const gone = new Set(victims);
  return ({ behind }, voter) => (gone.has(voter) || behind.includes(voter) ? 'no' : (alive.get(voter) ?? 'unknown'));
}

/** A group that would certainly lose its majority, before one that might. */
function worstGroup(picture: QuorumPicture, victims: readonly Target[]): QuorumAnswer | null {
  if (victims.length === 0) return null;
  const isLive = liveness(picture, victims);
  const count = (group: Group, verdicts: readonly Verdict[]): number =>
    group.voters.filter((voter) => verdicts.includes(isLive(group, voter))).length;
  const lost = picture.groups.find((group) => count(group, ['yes', 'unknown']) < group.need);
  const doubtful = lost ?? picture.groups.find((group) => count(group, ['yes']) < group.need);
  if (!doubtful) return null;
  const reason = counterExample({ picture, group: doubtful, victims, stay: count(doubtful, ['yes']) });
  return { kind: lost ? 'broken' : 'unproven', reason };
}

interface Loss {
  readonly picture: QuorumPicture;
  readonly group: Group;
  readonly victims: readonly Target[];
  readonly stay: number;
}

function counterExample({ picture, group, victims, stay }: Loss): string {
  const isLive = liveness(picture, victims);
  const dead = group.voters.filter((voter) => !victims.includes(voter) && isLive(group, voter) !== 'yes');
  const others = dead.map((voter) => whyNotLive(picture, group, voter)).join(', ');
  const stays = `so ${stay} would stay`;
  return `group ${group.id} needs ${group.need} of {${group.voters.join(', ')}}; ${others ? `${others}, ` : ''}${stays}`;
}

function whyNotLive({ members }: QuorumPicture, { behind }: Group, voter: Target): string {
  const member = members.find(({ id }) => id === voter);
  if (!member) return `${voter} is not in the picture`;
  if (member.impaired) return inWords(voter, member.impaired);
  if (behind.includes(voter)) return `${voter} holds no current copy`;
  return member.alive === 'no' ? `${voter} is not alive` : `it is not known whether ${voter} is alive`;
}

/** The subject's words may name the member themselves. */
const inWords = (member: Target, words: string): string => (words.includes(member) ? words : `${member} is ${words}`);

/** One at a time: nothing else is touched while a member is impaired. */
function secondMember(picture: QuorumPicture, influence: Influence): QuorumAnswer | null {
  const acted = actedOn(picture, influence);
  if (influence.takesAway.length > 1) {
    return { kind: 'broken', reason: `it takes away ${influence.takesAway.join(' and ')} at once; one at a time` };
  }
  const elsewhere = impairedElsewhere(picture, acted);
  const other = elsewhere.find(({ certain }) => certain) ?? elsewhere[0];
  if (acted.length === 0 || !other) return null;
  const reason = `${inWords(other.id, other.words)}; ${acted.join(' and ')} must wait until it is back`;
  return { kind: other.certain ? 'broken' : 'unproven', reason };
}
