import { Context } from '@temporalio/activity';
import type { Evidence } from '../../src/domain/evidence.js';
import type { HypothesisStatus, HypothesisUpdate } from '../../src/domain/hypothesis.js';
import { type EvidenceId, evidenceId, ticketId } from '../../src/domain/ids.js';
import type { NextStep, Thought } from '../../src/domain/next-step.js';
import type { ProofSample } from '../../src/domain/proof.js';
import type { RulingKind } from '../../src/domain/proposal.js';
import type { Violation } from '../../src/domain/violation.js';
import type {
  ActActivities,
  ActOutcome,
  AuthoriseActivities,
  DeskworkActivities,
  JudgeActivities,
  LookActivities,
  ThinkActivities,
} from '../../workflows/activity-contract.js';
import type { TicketInput } from '../../workflows/contract.js';

export type AllActivities = DeskworkActivities &
  LookActivities &
  ThinkActivities &
  JudgeActivities &
  AuthoriseActivities &
  ActActivities;

export const violation = (invariant = 'store-reachable', target: string | null = 'tikv-2'): Violation => ({
  invariant,
  target,
  severity: 'high',
  message: `${target ?? 'something'}: ${invariant}`,
  fingerprint: `tikv:${invariant}:${target ?? '-'}`,
  since: '2026-01-01T00:00:00.000Z',
});

let tickets = 0;
/** A fresh ticket, with waits short enough for tests. */
export function ticketInput(
  part: Partial<TicketInput['times']> = {},
  limits: Partial<TicketInput['admission']['limits']> = {},
): TicketInput {
  tickets += 1;
  return {
    filing: {
      id: ticketId('tikv', tickets),
      subject: 'tikv',
      at: new Date().toISOString(),
      violations: [violation()],
      recurrenceOf: null,
      flapping: false,
    },
    admission: {
      environment: 'lab',
      agent: 'on-call-triage',
      causes: ['process-dead', 'process-frozen', 'link-loss', 'pd-stale'],
      limits: { turns: 10, looks: 20, acts: 4, tokens: 1_000, usd: 1, wallMs: 600_000, ...limits },
    },
    times: {
      proof: { samples: 3, windowMs: 60, sampleMs: 20, deadlineMs: 20_000 },
      stabilityMs: 200,
      remindMs: 60_000,
      expireMs: 60_000,
      gateRetryMs: 50,
      gateGiveUpMs: 60_000,
      ...part,
    },
  };
}

export const evidence = (id: EvidenceId, part: Partial<Evidence> = {}): Evidence => ({
  id,
  at: new Date().toISOString(),
  host: 'lab',
  call: null,
  exit: 0,
  durationMs: 1,
  line: 'seen',
  head: '',
  tail: '',
  bytes: 4,
  sha256: 'aa',
  redactions: 0,
  tainted: false,
  ...part,
});

const DEAD = { class: 'process-dead', target: 'tikv-2' };
const LOOK: NextStep = {
  kind: 'look',
  why: 'is it dead, or frozen?',
  calls: [{ kind: 'shell', host: 'lab', command: 'labctl inspect tikv-2' }],
};
export const PROPOSE: NextStep = {
  kind: 'propose',
  proposal: {
    title: 'start the store tikv-2',
    cause: DEAD,
    evidence: [evidenceId(2)],
    test: { evidence: evidenceId(2), wouldHaveRefuted: 'a process that runs' },
    alternative: { cause: { class: 'process-frozen', target: 'tikv-2' }, why: 'there is no process' },
    effect: 'it serves again',
    risk: 'none: it takes nothing away',
    steps: [{ kind: 'action', action: 'start-store', target: 'tikv-2' }],
  },
};

/** What the first look, e2, says of one cause; before it nothing is known. */
export const belief = (
  name: string,
  status: HypothesisStatus,
  {
    ids = [2],
    confidence = 0.05,
    because = 'no process',
  }: { ids?: number[]; confidence?: number; because?: string } = {},
): HypothesisUpdate => ({
  cause: { ...DEAD, class: name },
  claim: name,
  status,
  confidence,
  for: status === 'supported' ? ids.map(evidenceId) : [],
  against: status === 'refuted' ? ids.map(evidenceId) : [],
  because,
});

export const thought = (nextStep: NextStep, supported: boolean): Thought => ({
  nextStep,
  hypotheses: [
    belief('process-dead', supported ? 'supported' : 'open', { confidence: 0.9, because: 'exit 137' }),
    belief('process-frozen', supported ? 'refuted' : 'open'),
  ],
  reasoner: 'double',
  model: null,
  requestId: null,
  promptSha: 'p',
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
});

export const goodSample = (): ProofSample => ({
  at: new Date().toISOString(),
  healthy: 'yes',
  broken: [],
  causeGone: 'yes',
  reason: 'fine',
});

/** What a test counts. */
export interface Counts {
  acts: number;
  gates: number;
  releases: number;
  judged: number;
  notices: string[];
  archived: string[];
}

export const noCounts = (): Counts => ({ acts: 0, gates: 0, releases: 0, judged: 0, notices: [], archived: [] });

/** Typed activities that look once, propose, run and prove; each test replaces what it is about. */
export function activityDoubles(
  counts: Counts,
  { ruling = 'pre-approved' }: { ruling?: RulingKind } = {},
): AllActivities {
  const runId = () => Context.current().info.workflowExecution?.runId ?? '';
  return {
    admit: async () => ({
      environment: 'lab',
      agent: 'on-call-triage',
      causes: ticketInput().admission.causes,
      limits: ticketInput().admission.limits,
      times: ticketInput().times,
    }),
    openTurn: async () => ({ run: runId(), others: [] }),
    gate: async ({ ticket, target }) => {
      counts.gates += 1;
      const until = new Date(Date.now() + 60_000).toISOString();
      return { granted: true, lease: { run: runId(), ticket, target, until } };
    },
    release: async () => {
      counts.releases += 1;
    },
    archive: async ({ report }) => {
      counts.archived.push(report);
      return { path: 'tickets/tikv-1.md' };
    },
    notify: async ({ kind }) => {
      counts.notices.push(kind);
    },
    lookAtPicture: async ({ id }) => ({
      run: runId(),
      evidence: evidence(id),
      lines: ['3 of 4 stores Up'],
      broken: [violation()],
      unknown: [],
      expected: [],
    }),
    look: async ({ id, call }) => evidence(id, { call }),
    sample: async () => goodSample(),
    targets: async () => ['tikv-2', 'tikv-3'],
    settle: async () => ({ journal: 'j', entry: 'none', exit: null, done: 'no', reason: 'it never started' }),
    think: async ({ digest }) => thought(digest.turn === 1 ? LOOK : PROPOSE, digest.turn > 1),
    judge: async ({ proposal }) => {
      counts.judged += 1;
      return {
        proposal: {
          ...proposal,
          steps: [
            {
              describe: 'start the store tikv-2',
              action: 'start-store',
              target: 'tikv-2',
              call: { kind: 'shell', host: 'lab', command: 'labctl start tikv-2' },
              inverse: { kind: 'none', why: 'restorative' },
              timeoutMs: 5_000,
            },
          ],
        },
        ruling: { kind: ruling, reason: `the double says ${ruling}` },
        steps: [{ commands: ['labctl start tikv-2'], ruling: { kind: ruling, reason: 'double' } }],
        basis: [{ fact: 'step 1: process', value: 'exited', compare: 'equal' }],
        basisHash: 'hash-1',
        margin: 'tightest group region-4: 2 of 3 live, 2 needed',
        broken: [violation().fingerprint],
        rate: { times: 2, withinMs: 3_600_000 },
        upstream: [],
      };
    },
    authorise: async ({ decision, approvals }) => ({
      kind: 'counts',
      approvals: [...approvals, { ...decision, expiresAt: new Date(Date.now() + 60_000).toISOString() }],
    }),
    act: async (): Promise<ActOutcome> => {
      counts.acts += 1;
      return { outcome: 'ok', exit: 0, journal: 'run.p.1.1', reason: 'exit 0', tail: '' };
    },
  };
}
