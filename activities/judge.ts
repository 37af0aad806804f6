import { subjectOf } from '../src/domain/ids.js';
import type { Phase } from '../src/domain/phases.js';
import type { Proposal, RulingKind, Step, StepDraft } from '../src/domain/proposal.js';
import { needOf } from '../src/policy/authority.js';
import { judgeProposal } from '../src/policy/judge.js';
import type { JudgeActivities, JudgeInput, Judgement } from '../workflows/activity-contract.js';
import { basisHashOf } from './basis-hash.js';
import { cancellation } from './cancellation.js';
import { upstreamOf } from './capacity.js';
import { brokenIn } from './health.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { rulesOf } from './rules-of.js';
import { type Facts, freshFacts, judgeInputFor, matterOf, type RulingDeps } from './ruling.js';
import { currentRun } from './run-id.js';

export interface JudgeDeps extends RulingDeps {
  readonly rooms: Rooms;
  readonly onRuling: (kind: RulingKind) => void;
}

/** Expands a draft into steps and rules on them, with the present policy and fresh facts. */
export function createJudge(deps: JudgeDeps): JudgeActivities {
  return {
    async judge(input): Promise<Judgement> {
      const room = roomOf(deps.rooms, subjectOf(input.ticket));
      const unknown = input.drafts.find((draft) => isUnknownAction(room, draft));
      const judgement = unknown
        ? refusal(input, `the catalogue has no such action: ${nameOf(unknown)}`)
        : await rule(deps, room, input);
      deps.onRuling(judgement.ruling.kind);
      return judgement;
    },
  };
}

async function rule(deps: JudgeDeps, room: Room, { agent, phase, proposal, drafts }: JudgeInput): Promise<Judgement> {
  const facts = await freshFacts(room, deps.now, cancellation());
  const steps = drafts.map((draft) => toStep(room, facts, draft)).filter((step): step is Step => step !== null);
  const judged = judgeProposal(await inputsFor(deps, room, { steps, phase: phase as Phase, proposal, agent, facts }));
  const asked = { subject: room.subject.name, ruling: judged.ruling.kind, steps };
  const { authority, matter } = await matterOf(deps, asked);
  return {
    proposal: { ...proposal, steps },
    ruling: judged.ruling,
    steps: judged.steps.map(({ commands, ruling }) => ({ commands, ruling })),
    basis: judged.basis,
    basisHash: basisHashOf(judged.basis),
    margin: judged.steps[0]?.margin ?? '',
    broken: brokenIn(room.subject, facts.picture, facts.at).map((v) => v.fingerprint),
    rate: judged.steps.find((step) => step.rate)?.rate ?? null,
    upstream: upstreamOf({ room, rules: rulesOf(room, deps.self), facts, steps }),
    run: currentRun(),
    need: needOf(authority, matter),
  };
}

const refusal = ({ proposal }: JudgeInput, reason: string): Judgement => ({
  proposal: { ...proposal, steps: [] },
  ruling: { kind: 'forbidden', reason, code: 'MEDIC_POLICY_SCOPE' },
  steps: [],
  basis: [],
  basisHash: '',
  margin: '',
  broken: [],
  rate: null,
  upstream: [],
});

const isUnknownAction = ({ subject }: Room, draft: StepDraft): boolean =>
  draft.kind === 'action' && !subject.actions.some((action) => action.name === draft.action);

const nameOf = (draft: StepDraft): string => (draft.kind === 'action' ? draft.action : draft.describe);

function inputsFor(
  deps: JudgeDeps,
  room: Room,
  ask: {
    readonly steps: readonly Step[];
    readonly phase: Phase;
    readonly proposal: Omit<Proposal, 'steps'>;
    readonly agent: string;
    readonly facts: Facts;
  },
) {
  const { steps, phase, proposal, agent, facts } = ask;
  return Promise.all(
    steps.map((step) => judgeInputFor(deps, room, { step, phase, cause: proposal.cause, agent, facts })),
  );
}

/** A free call gets this long; catalogued actions say it themselves. */
const CALL_TIMEOUT_MS = 30_000;

/** `null`: the catalogue has no such action. */
function toStep({ subject }: Room, { picture }: Facts, draft: StepDraft): Step | null {
  if (draft.kind === 'call') {
    const inverse = { kind: 'irreversible', why: 'nobody said how this call is taken back' } as const;
    const { describe, call, target } = draft;
    return { describe, action: null, target, call, inverse, timeoutMs: CALL_TIMEOUT_MS };
  }
  const action = subject.actions.find((a) => a.name === draft.action);
  return (
    (action && {
      describe: action.describe(draft.target),
      action: action.name,
      target: draft.target,
      call: action.call(draft.target, picture),
      inverse: action.inverse(picture, draft.target),
      timeoutMs: action.timeoutMs,
    }) ??
    null
  );
}
