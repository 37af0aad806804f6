import { causeName } from './cause.js';
import type { Evidence } from './evidence.js';
import type { NextStep } from './next-step.js';
import type { ProposalDraft, StepDraft } from './proposal.js';
import { type Call, callBytes, describeCall } from './query.js';
import { shortHash } from './short-hash.js';

/**
 * Tells a ticket that goes on from one that goes round in circles, by what its turns mean, not by their bytes. A plain
 * value: it lives in the ticket and is carried through continue-as-new.
 */
export interface Progress {
  /** Everything asked or proposed, the newest last, with what came of it; at most {@link MAX_NOTED}. */
  readonly noted: readonly Noted[];
  /** Turns in a row that brought nothing new. */
  readonly idle: number;
  /** What these turns repeated, one line each, no line twice. */
  readonly repeats: readonly string[];
  /** Short hash of what the last picture showed as broken or unknown. */
  readonly world: string;
  /** The world moved since the last turn, or nothing is broken: a repeat is patience then and does not count. */
  readonly excused: boolean;
}

interface Noted {
  /** Short hash of its meaning. */
  readonly key: string;
  /** Short hash of the answer or of the reason of the refusal. */
  readonly outcome: string;
}

export const NOTHING_NOTED: Progress = { noted: [], idle: 0, repeats: [], world: '', excused: false };

/** The oldest goes when more is noted; a ticket has about 30 turns of at most 8 looks. */
export const MAX_NOTED = 200;
/** After so many turns in a row without progress the reasoner is told what it repeats. */
export const TELL_AFTER = 3;
/** After so many a person is asked. */
export const GIVE_UP_AFTER = 6;

/** What one picture shows, by the names of what is wrong; ages and counts in messages are no news. */
export interface World {
  /** Fingerprints that are broken in it. */
  readonly broken: readonly string[];
  /** Invariants that it could not judge. */
  readonly unknown: readonly string[];
}

/** At the begin of a turn: did the world move? A ticket whose trouble is over may wait, its limits end that. */
export function noteWorld(progress: Progress, { broken, unknown }: World): Progress {
  const world = shortHash([...broken, ...unknown].sort().join(' '));
  const moved = world !== progress.world;
  return { ...progress, world, excused: moved || broken.length === 0, ...(moved ? NOT_IDLE : {}) };
}

/** Answers to the calls of one look; `null`: the call could not be asked. New when one call, or one answer, is. */
export function noteLook(
  progress: Progress,
  looks: readonly { readonly call: Call; readonly found: Evidence | null }[],
): Progress {
  const notes = looks.map(({ call, found }) => ({ key: meaningOf(call), outcome: answerOf(found) }));
  const what = looks.map(({ call }) => collapsed(describeCall(call))).join(', ');
  return note(progress, notes, what === '' ? 'no look at all' : `the same look with the same answers: ${what}`);
}

/** A proposal that came to nothing. `why` must be the same for the same reason: missing words, a code, never ages. */
export function noteFailedProposal(
  progress: Progress,
  draft: Pick<ProposalDraft, 'title' | 'cause' | 'steps'>,
  why: string,
): Progress {
  const key = ['propose', causeName(draft.cause), ...draft.steps.map(meaningOfStep)].join('\n');
  return note(
    progress,
    [{ key, outcome: withoutIds(why) }],
    `the same proposal, back for the same reason: ${draft.title} (${why})`,
  );
}

/** A conclusion that was not accepted. Its words may change with the picture; claiming the same again is no news. */
export function noteConclusion(progress: Progress, step: Extract<NextStep, { kind: 'conclude' }>): Progress {
  const claim = [step.conclusion, step.expectation, step.of].filter((part) => part !== undefined).join(' ');
  return note(progress, [{ key: `conclude ${claim}`, outcome: '' }], `the same refused conclusion: ${claim}`);
}

/** A repair ran, or a person said something: what follows is not what was before. Memory stays, the count begins anew. */
export const noteNews = (progress: Progress): Progress => ({ ...progress, ...NOT_IDLE });

/** For the reasoner, once in a row of idle turns; `null`: not now. */
export function warningOf(before: Progress, now: Progress): string | null {
  if (now.idle < TELL_AFTER || before.idle >= TELL_AFTER) return null;
  return `${told(now)}. Ask or propose something else, or hand over: after ${GIVE_UP_AFTER} a person takes over`;
}

/** Why a person is needed; `null`: the ticket goes on. */
export const whyStuck = (progress: Progress): string | null =>
  progress.idle < GIVE_UP_AFTER ? null : `no progress: ${told(progress)}`;

const NOT_IDLE = { idle: 0, repeats: [] } as const;

const told = ({ idle, repeats }: Progress): string =>
  `${idle} turns in a row brought nothing new: ${repeats.join(' | ')}`;

function note(progress: Progress, notes: readonly Noted[], what: string): Progress {
  const hashed = notes.map(({ key, outcome }) => ({ key: shortHash(key), outcome: shortHash(outcome) }));
  const known = new Map(progress.noted.map(({ key, outcome }) => [key, outcome]));
  const isNews = hashed.some(({ key, outcome }) => known.get(key) !== outcome);
  const touched = new Set(hashed.map(({ key }) => key));
  const noted = [...progress.noted.filter(({ key }) => !touched.has(key)), ...hashed].slice(-MAX_NOTED);
  if (isNews) return { ...progress, noted, ...NOT_IDLE };
  if (progress.excused) return { ...progress, noted };
  const repeats = [...new Set([...progress.repeats, shortened(what)])].slice(-GIVE_UP_AFTER);
  return { ...progress, noted, idle: progress.idle + 1, repeats };
}

const MAX_WHAT = 200;

const shortened = (text: string): string => (text.length > MAX_WHAT ? `${text.slice(0, MAX_WHAT - 1)}…` : text);

/** What an answer says, without when and how fast: its whole body, how it ended, or why there is none. */
const answerOf = (found: Evidence | null): string =>
  found ? [found.exit, found.sha256, found.failure ?? ''].join(' ') : 'not asked';

/** The same question however it is spelled: white space, and the order of the parameters of a path, say nothing. */
export function meaningOf(call: Call): string {
  if (call.kind === 'shell') return callBytes({ ...call, command: collapsed(call.command) });
  const { body, ...rest } = call;
  const path = sortedQuery(call.path);
  return callBytes({ ...rest, path, ...(body === undefined ? {} : { body: collapsed(body) }) });
}

const meaningOfStep = (step: StepDraft): string =>
  step.kind === 'action' ? `${step.action} ${step.target}` : `${meaningOf(step.call)} ${step.target}`;

/** `e12` and `H3` are new in each turn and say nothing new. */
const withoutIds = (words: string): string => words.replace(/\b([eH])\d+\b/g, '$1');

const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** The case of a path is kept: PD tells `/Stores` from `/stores`. */
function sortedQuery(path: string): string {
  const [route = '', query = ''] = path.trim().split('?', 2);
  const parameters = query.split('&').filter((part) => part !== '');
  return parameters.length === 0 ? route : `${route}?${parameters.sort().join('&')}`;
}
