import type { Core } from './core.js';
import { isPromised } from './lease.js';
import type { CommitPoint, PreVote, PreVoteReply, TimeoutNow, Vote, VoteReply } from './messages.js';
import { sendHeartbeats } from './replication.js';
import { becomeCandidate, becomeFollower, becomeLeader, becomePreCandidate } from './roles.js';
import type { NodeId } from './types.js';

/**
 * May this member stand for election? Only a voter, and only with every change applied that it knows to be committed:
 * an older configuration could elect it by a majority that shares nobody with the present one (raft-rs: `hup`).
 */
function mayStand({ isVoter, log }: Core): boolean {
  const isBehind = log.slice({ from: log.applied + 1, to: log.commit }).some(({ change }) => change);
  return isVoter && !isBehind;
}

/**
 * Learns from a question or an answer what is committed (raft-rs: `maybe_commit_by_vote`). After a removal the only ones
 * who know of it may be members that may no longer lead, with logs that are too long for the others to win their votes.
 * A candidacy that turns out to be by an old configuration ends.
 */
export function learnCommit(core: Core, committed: CommitPoint): void {
  if (core.role === 'leader') return;
  core.log.learnCommit(committed);
  if (core.role !== 'follower' && !mayStand(core)) becomeFollower(core, { term: core.term, leader: null });
}

/** Asks whether an election could be won, without disturbing anyone. */
export function startPreVote(core: Core): void {
  if (!mayStand(core)) {
    core.resetTimer();
    return;
  }
  becomePreCandidate(core);
  requestVotes(core);
  countVotes(core);
}

/** One tick of a member that does not lead. */
export function tickElection(core: Core): void {
  core.elapsed += 1;
  core.sinceLeader += 1;
  if (core.elapsed >= core.timeout) startPreVote(core);
  else if (core.role !== 'follower' && core.elapsed % core.heartbeatTicks === 0) requestVotes(core);
}

export function onPreVote(core: Core, message: PreVote): void {
  const granted = message.term > core.term && !isPromised(core) && core.log.isUpToDate(message);
  core.send({
    type: 'pre-vote-reply',
    to: message.from,
    granted,
    term: granted ? message.term : core.term,
    ...core.log.committed,
  });
}

export function onPreVoteReply(core: Core, { from, term, granted }: PreVoteReply): void {
  if (core.role !== 'pre-candidate' || (granted && term !== core.term + 1)) return;
  core.votes.set(from, granted);
  countVotes(core);
}

/**
 * Also a learner answers: if it is asked, then it has been promoted, and whoever wins must not wait until it knows.
 * The caller has dropped requests of older terms and, while promised, those without `handover`.
 */
export function onVote(core: Core, message: Vote): void {
  const free = core.vote === message.from || (core.vote === null && core.leader === null);
  const granted = free && core.log.isUpToDate(message);
  if (granted) {
    core.vote = message.from;
    core.resetTimer();
  }
  core.send({ type: 'vote-reply', to: message.from, granted, ...core.log.committed });
}

export function onVoteReply(core: Core, { from, granted }: VoteReply): void {
  if (core.role !== 'candidate') return;
  core.votes.set(from, granted);
  countVotes(core);
}

/**
 * Only a log that still ends where the leader's did may take over. A leader that gave up a transfer appends a no-op
 * before it trusts its lease again, so a late request loses here or at the voters.
 */
export function onTimeoutNow(core: Core, { from, lastIndex }: TimeoutNow): void {
  if (core.role !== 'follower' || core.leader !== from || core.log.lastIndex !== lastIndex) return;
  if (!mayStand(core)) return;
  startElection(core, { handover: true });
}

function startElection(core: Core, { handover }: { handover: boolean }): void {
  becomeCandidate(core, { handover });
  requestVotes(core);
  countVotes(core);
}

/** Asks everyone who has not answered in this round. */
function requestVotes(core: Core): void {
  for (const to of core.electorate.voters) if (to !== core.id && !core.votes.has(to)) requestVote(core, to);
}

function requestVote(core: Core, to: NodeId): void {
  const { end, committed } = core.log;
  if (core.role === 'pre-candidate') core.send({ type: 'pre-vote', to, term: core.term + 1, ...end, ...committed });
  else core.send({ type: 'vote', to, handover: core.handover, ...end, ...committed });
}

function countVotes(core: Core): void {
  const tally = core.electorate.tally(core.votes);
  if (tally === 'won') win(core);
  else if (tally === 'lost') becomeFollower(core, { term: core.term, leader: null });
}

function win(core: Core): void {
  if (core.role === 'pre-candidate') {
    startElection(core, { handover: false });
    return;
  }
  becomeLeader(core);
  sendHeartbeats(core);
}
