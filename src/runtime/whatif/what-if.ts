import { canonical } from '../../domain/canonical.js';
import type { EvidenceId } from '../../domain/ids.js';
import type { TrailEvent } from '../../domain/trail.js';
import type { EvidenceStore } from '../../evidence/store.js';
import { type AnswersDeps, createAnswers } from './answers.js';
import { type Answers, type Played, type PlayOptions, play } from './play.js';
import type { Recording } from './recording.js';
import { replaceEvidence } from './replaced.js';
import type { Sandboxes } from './sandbox.js';
import { createThinker, type ThinkerOptions } from './thinker.js';

export interface WhatIfOptions extends Pick<PlayOptions, 'turn' | 'answer'> {
  readonly sandboxes: Sandboxes;
  readonly recording: Recording;
  /** Its story as it was told then; `null`: only its history is there. */
  readonly trail: readonly TrailEvent[] | null;
  /** New bodies of its evidence. */
  readonly bodies: ReadonlyMap<EvidenceId, string>;
  /** Bodies of its evidence; new ones are put there, too. */
  readonly evidence: EvidenceStore;
  readonly thinking: Omit<ThinkerOptions, 'evidence' | 'run'>;
  readonly rule: AnswersDeps['rule'];
  /** Values masked wherever they turn up. */
  readonly secrets: readonly string[];
  /** Names whoever asks, in reservations. */
  readonly run: string;
}

export interface WhatIf extends Played {
  /** What both tell, from the opening of the turn up to where they part. */
  readonly common: readonly TrailEvent[];
  /** What the record tells from there on. */
  readonly recorded: readonly TrailEvent[];
  /** What would have been instead. */
  readonly now: readonly TrailEvent[];
  /** What a person should know about the answers. */
  readonly notes: readonly string[];
  readonly usd: number;
}

/** Runs a recorded ticket on from one of its turns in another way, beside the way that it went. */
export async function whatIf(options: WhatIfOptions): Promise<WhatIf> {
  const { recording, turn, evidence } = options;
  const notes = new Set<string>();
  const thinker = createThinker({ ...options.thinking, evidence, run: options.run });
  const { id: ticket } = recording.input.filing;
  const { times } = recording.input;
  const replaced = await replaceEvidence({
    ...options,
    facts: recording.facts,
    ticket,
    times,
    run: recording.script.runId,
  });
  const answers = createAnswers({
    ...options,
    facts: recording.facts,
    replaced,
    thinker,
    times,
    note: (words) => notes.add(words),
  });
  const was = await tellAll(options, { answers: AS_RECORDED, answer: null });
  const is = await tellAll(options, { answers, answer: options.answer });
  if (was.end.divergence) notes.add(`the present code goes another way by itself, in turn ${was.end.divergence.turn}`);
  const story = was.end.divergence && options.trail ? options.trail : was.events;
  return {
    ...parted(story.filter(isStory), is.events.filter(isStory), turn),
    ...is.end,
    notes: [...notes],
    usd: thinker.spent,
  };
}

const AS_RECORDED: Answers = {
  before: ({ recorded, name }) => recorded ?? missing(name),
  reply: async ({ recorded, name }) =>
    recorded ? { kind: 'resolved', resolution: recorded } : { kind: 'missing', what: name },
};

function missing(name: string): never {
  throw new Error(`${name} stands before the turn and is not recorded`);
}

async function tellAll(
  { recording: { script }, turn, sandboxes }: WhatIfOptions,
  how: Pick<PlayOptions, 'answers' | 'answer'>,
) {
  const sandbox = await sandboxes.open({ workflowType: 'ticket', ...script });
  const events: TrailEvent[] = [];
  try {
    const end = await play({ ...how, turn, script, sandbox, tell: (event) => events.push(event) });
    return { events, end };
  } finally {
    await sandbox.close();
  }
}

/** Where the archive lies is not part of what happened. */
const isStory = ({ type }: TrailEvent): boolean => type !== 'archived';

function parted(was: readonly TrailEvent[], is: readonly TrailEvent[], turn: number) {
  const from = Math.max(
    0,
    was.findIndex((event) => event.type === 'turn' && event.turn === turn),
  );
  const differs = is.findIndex((event, i) => canonical(event) !== canonical(was[i] ?? null));
  const end = differs === -1 ? Math.min(is.length, was.length) : differs;
  return { common: is.slice(from, end), recorded: was.slice(Math.max(from, end)), now: is.slice(Math.max(from, end)) };
}
