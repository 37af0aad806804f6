import type { JudgeInput, Judgement, PictureSeen } from '../../../workflows/activity-contract.js';
import type { Ruling } from '../../domain/proposal.js';
import type { EvidenceStore } from '../../evidence/store.js';
import type { RecordedThought } from '../../reasoner/recorded.js';
import { type RethinkDeps, type Rethought, rethink } from '../rethink.js';
import { type RecordedActivity, resultOf } from './facts.js';
import { type Recording, thinkingIn } from './recording.js';
import { type RejudgeDeps, rejudge } from './rejudge.js';

/** One decision of a recorded ticket, beside what it would have been. */
export interface BacktestRow {
  readonly ticket: string;
  readonly turn: number;
  /** `#1` or `next step` */
  readonly what: string;
  readonly recorded: string;
  /** `null`: the archive does not hold what it takes to tell; `reason` says what is missing. */
  readonly now: string | null;
  readonly differs: boolean;
  readonly reason: string;
  /** What it cost to find out. */
  readonly usd: number;
}

export interface PastTicket {
  readonly recording: Recording;
  readonly evidence: Pick<EvidenceStore, 'get' | 'has'>;
}

/** Every ruling of a ticket again, by another policy, on the facts of its time. */
export async function backtestPolicy({ recording, evidence }: PastTicket, deps: RejudgeDeps): Promise<BacktestRow[]> {
  const rows: BacktestRow[] = [];
  for (const judged of recording.facts.filter(({ name, outcome }) => name === 'judge' && outcome?.kind === 'completed'))
    rows.push(await ruleAgain({ judged, recording, evidence }, deps));
  return rows;
}

interface PastRuling extends PastTicket {
  readonly judged: RecordedActivity;
}

async function ruleAgain({ judged, recording, evidence }: PastRuling, deps: RejudgeDeps): Promise<BacktestRow> {
  const input = judged.input as JudgeInput;
  const recorded = resultOf<Judgement>(judged) as Judgement;
  const row = {
    ticket: recording.input.filing.id,
    turn: judged.turn,
    what: `#${input.proposal.number}`,
    recorded: recorded.ruling.kind,
    usd: 0,
  };
  const cannotTell = (reason: string): BacktestRow => ({ ...row, now: null, differs: false, reason });
  const picture = pictureBefore(judged, recording);
  if (!picture || !(await evidence.has(picture.evidence.sha256)))
    return cannotTell('the picture that it was ruled on is not in the archive');
  const at = Date.parse(picture.evidence.at) + picture.evidence.durationMs;
  const body = await evidence.get(picture.evidence.sha256);
  const again = await rejudge({ input, recorded, picture: body, at, times: recording.input.times }, deps);
  if (again.kind === 'cannot-tell') return cannotTell(again.why);
  const { ruling } = again.judgement;
  // Said of a rate that could not be counted, it is a guess.
  if (again.caveat) return cannotTell(`${ruling.kind} ${again.caveat}`);
  return { ...row, now: ruling.kind, differs: ruling.kind !== recorded.ruling.kind, reason: reasonOf(ruling) };
}

const reasonOf = ({ code, reason }: Ruling): string => (code ? `${code} ${reason}` : reason);

const pictureBefore = (judged: RecordedActivity, { facts }: Recording): PictureSeen | undefined => {
  const taken = facts.findLast(
    ({ name, id, outcome }) => name === 'lookAtPicture' && id < judged.id && outcome?.kind === 'completed',
  );
  return taken && resultOf<PictureSeen>(taken);
};

/**
 * Every turn of a ticket thought again with another prompt. What rules thought says nothing about a prompt, and a thought that
 * could not be had says nothing either.
 */
export async function backtestPrompt({ recording }: PastTicket, deps: RethinkDeps): Promise<BacktestRow[]> {
  const { id: ticket } = recording.input.filing;
  const turns = thinkingIn(recording).flatMap(({ input: { digest }, thought }) =>
    thought ? [{ turn: digest.turn, digest, thought }] : [],
  );
  const byModel = turns.filter(({ thought }) => thought.model !== null);
  const rows = (await rethink(byModel, deps)).map((row) => ({ ticket, ...promptRow(row) }));
  const others = turns.filter(({ thought }) => thought.model === null).map((turn) => ({ ticket, ...unprompted(turn) }));
  return [...rows, ...others].sort((a, b) => a.turn - b.turn);
}

function promptRow({ turn, recorded, now, differs, note, usd }: Rethought): Omit<BacktestRow, 'ticket'> {
  const words = (step: Rethought['recorded']) => `${step.kind} ${step.target}`;
  return {
    turn,
    what: 'next step',
    recorded: words(recorded),
    now: now && words(now),
    differs: now !== null && differs,
    reason: note,
    usd,
  };
}

const unprompted = ({ turn, thought }: RecordedThought): Omit<BacktestRow, 'ticket'> => ({
  turn,
  what: 'next step',
  recorded: thought.nextStep.kind,
  now: null,
  differs: false,
  reason: `${thought.reasoner} thought it, not a prompt`,
  usd: 0,
});
