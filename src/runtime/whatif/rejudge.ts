import { createJudge } from '../../../activities/judge.js';
import type { JudgeInput, Judgement } from '../../../workflows/activity-contract.js';
import type { TicketTimes } from '../../../workflows/contract.js';
import type { Agent } from '../../domain/agent.js';
import { type ActRecord, runsWithin } from '../../domain/desk.js';
import { instant, subjectOf } from '../../domain/ids.js';
import { type Basis, basisChanges } from '../../domain/proposal.js';
import { describeCall } from '../../domain/query.js';
import { NOBODY } from '../../policy/authority.js';
import type { PolicyFile } from '../../policy/policy-file.js';
import { inActivity } from './activity-context.js';
import { createRecordedRoom } from './recorded-room.js';

export interface RejudgeDeps {
  readonly policy: PolicyFile;
  readonly agent: Agent;
  /** What ran before, over all tickets that are known here. */
  readonly runs: () => Promise<KnownRuns>;
}

export interface KnownRuns {
  readonly acts: readonly ActRecord[];
  /** Older tickets of the subject whose acts are not known: rates may be counted too low. */
  readonly missing: readonly string[];
}

export interface RejudgeAsk {
  readonly input: JudgeInput;
  /** Body of the picture of the same turn. */
  readonly picture: string;
  /** ms since the epoch: when that picture was there. */
  readonly at: number;
  readonly times: TicketTimes;
  /** What was ruled then, if it was. */
  readonly recorded: Judgement | null;
}

export type Rejudged =
  | { readonly kind: 'judged'; readonly judgement: Judgement; readonly caveat: string | null }
  /** The facts that it takes are not in the archive. */
  | { readonly kind: 'cannot-tell'; readonly why: string };

/**
 * Rules on a recorded proposal with another policy: by the activity and the kernel that rule on live ones, on the picture of
 * the same turn. The picture that the ruling itself was made on is not kept, but its facts are, as the basis: only
 * where the picture of the turn gives the same basis is it known what the policy would have ruled.
 */
export async function rejudge(ask: RejudgeAsk, deps: RejudgeDeps): Promise<Rejudged> {
  const { recorded } = ask;
  if (recorded?.ruling.code === OWN) return { kind: 'judged', judgement: recorded, caveat: null };
  try {
    return await judgeAnew(ask, deps);
  } catch (error) {
    // A picture of an older version lacks what the present code reads off it.
    if (!(error instanceof TypeError)) throw error;
    return { kind: 'cannot-tell', why: `the picture was taken by an older version (${error.message})` };
  }
}

async function judgeAnew(ask: RejudgeAsk, deps: RejudgeDeps): Promise<Rejudged> {
  const { input, recorded } = ask;
  const room = createRecordedRoom(ask);
  const unknown = addressOf(input, room.endpoints);
  if (unknown) return { kind: 'cannot-tell', why: `what ${unknown} is the address of is not in the archive` };
  const judgement = await judgeOn(ask, deps, room);
  const changes = recorded ? differences(recorded.basis, judgement.basis) : [];
  if (changes.length > 0)
    return { kind: 'cannot-tell', why: `the facts had changed since the picture of the turn: ${changes.join('; ')}` };
  return { kind: 'judged', judgement, caveat: caveatOf(judgement, await deps.runs()) };
}

/** Facts that got better would have been another ground for a ruling, too. */
const differences = (a: Basis, b: Basis): string[] => [...new Set([...basisChanges(a, b), ...basisChanges(b, a)])];

/** What touches Medic itself is forbidden by every policy, and what that is on its host is not known here. */
const OWN = 'MEDIC_POLICY_SELF';

function judgeOn({ input, at }: RejudgeAsk, deps: RejudgeDeps, room: ReturnType<typeof createRecordedRoom>) {
  const now = () => at;
  const { judge } = createJudge({
    rooms: new Map([[subjectOf(input.ticket), room]]),
    desk: { recentRuns: async (of) => runsWithin(before((await deps.runs()).acts, at), of, instant(at)) },
    policy: async () => deps.policy,
    agent: async () => deps.agent,
    // Who may answer is not archived, and is no part of a ruling that policy gives.
    authority: async () => NOBODY,
    self: SELF,
    now,
    onRuling: () => {},
  });
  return inActivity('rejudge', () => judge(input));
}

const before = (acts: readonly ActRecord[], at: number) => acts.filter((act) => Date.parse(act.at) < at);

const SELF = { paths: [], endpoints: [], programs: ['medic', 'temporal', 'labd'], pids: [] };

/** An address in a command line is classified by the inventory, which is not archived. */
function addressOf({ drafts }: JudgeInput, endpoints: Readonly<Record<string, string>>): string | null {
  const texts = drafts.flatMap((draft) =>
    draft.kind === 'call' && draft.call.kind === 'shell' ? [describeCall(draft.call)] : [],
  );
  const addresses = texts.flatMap((text) => text.match(/[\w.-]+:\d{2,5}\b/g) ?? []);
  return addresses.find((address) => !Object.hasOwn(endpoints, address)) ?? null;
}

const MOST_NAMED = 5;

function caveatOf({ ruling, rate }: Judgement, { missing }: KnownRuns): string | null {
  if (ruling.kind !== 'pre-approved' || rate === null || missing.length === 0) return null;
  const named = missing.slice(0, MOST_NAMED).join(', ');
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return `unless its rate was used up: what ${named}${more} did is not known here`;
}
