import type { Evidence } from '../../src/domain/evidence.js';
import type { Hypothesis } from '../../src/domain/hypothesis.js';
import { evidenceId, hypothesisId, type Instant, instant, proposalId, ticketId } from '../../src/domain/ids.js';
import type { Proposal } from '../../src/domain/proposal.js';
import { writeReport } from '../../src/domain/report.js';
import { openTicket, type Ticket } from '../../src/domain/ticket.js';
import type { Happening, TrailEvent } from '../../src/domain/trail.js';
import type { Violation } from '../../src/domain/violation.js';
import type { ArchivedTicket } from '../../src/evidence/archive.js';

/** The story of one killed store, as Medic treated it: for screens, reports and archives. */
export const KILLED_STORE = { id: ticketId('tikv', 7), filedAt: '2026-01-02T03:04:05.000Z' } as const;

const E = (n: number) => evidenceId(n);

const VIOLATION: Violation = {
  invariant: 'store-reachable',
  target: 'tikv-0',
  severity: 'high',
  message: 'tikv-0 does not answer on its status port (connection refused)',
  fingerprint: 'tikv:store-reachable:tikv-0',
  since: '2026-01-02T03:04:03.000Z',
};

const looked = (n: number, command: string, line: string): Evidence => ({
  id: E(n),
  at: KILLED_STORE.filedAt,
  host: 'lab',
  call: { kind: 'shell', host: 'lab', command },
  exit: 0,
  durationMs: 40,
  line,
  head: '',
  tail: '',
  bytes: 10,
  sha256: 'ab'.repeat(32),
  redactions: 0,
  tainted: true,
});

const claim = (n: number, cause: string, part: Partial<Hypothesis>): Hypothesis => ({
  id: hypothesisId(n),
  claim: `${cause} of tikv-0`,
  cause: { class: cause, target: 'tikv-0' },
  status: 'open',
  confidence: [{ turn: 1, value: 0.3 }],
  for: [],
  against: [],
  because: 'the host was not asked yet',
  ...part,
});

/** Before and after the host was asked. */
export const BOARDS: Readonly<Record<'open' | 'settled', readonly Hypothesis[]>> = {
  open: [claim(1, 'process-dead', {}), claim(2, 'process-frozen', {})],
  settled: [
    claim(1, 'process-dead', {
      status: 'supported',
      confidence: [
        { turn: 1, value: 0.3 },
        { turn: 2, value: 0.95 },
      ],
      for: [E(2), E(3)],
      because: 'the host shows tikv-0 exited 137, died',
    }),
    claim(2, 'process-frozen', {
      status: 'refuted',
      confidence: [
        { turn: 1, value: 0.3 },
        { turn: 2, value: 0.02 },
      ],
      against: [E(2)],
      because: 'there is no process to be frozen',
    }),
  ],
};

export const PROPOSAL: Proposal = {
  id: proposalId('11111111-2222-4333-8444-555555555555'),
  number: 1,
  at: KILLED_STORE.filedAt,
  turn: 2,
  title: 'start the store tikv-0',
  hypothesis: hypothesisId(1),
  cause: { class: 'process-dead', target: 'tikv-0' },
  evidence: [E(2), E(3)],
  test: { evidence: E(2), wouldHaveRefuted: 'a process that runs' },
  alternative: {
    cause: { class: 'process-frozen', target: 'tikv-0' },
    why: 'refuted, there is no process to be frozen',
  },
  effect: 'tikv-0 runs again',
  risk: 'none for the others',
  steps: [
    {
      describe: 'start the store tikv-0',
      action: 'start-store',
      target: 'tikv-0',
      call: { kind: 'shell', host: 'lab', command: 'labctl start tikv-0' },
      inverse: { kind: 'none', why: 'restorative: it takes nothing away' },
      timeoutMs: 30_000,
    },
  ],
};

const sample = (inRow: number): Happening => ({
  type: 'sampled',
  sample: {
    at: KILLED_STORE.filedAt,
    healthy: inRow === 0 ? 'no' : 'yes',
    broken: inRow === 0 ? ['tikv:store-up:tikv-0', 'tikv:regions-no-pending-peer:-'] : [],
    causeGone: inRow === 0 ? 'no' : 'yes',
    reason: inRow === 0 ? 'PD calls tikv-0 Disconnected' : 'the witness shows tikv-0 running; PD calls tikv-0 Up',
  },
  inRow,
  needed: 6,
});

const cleared: Happening = { type: 'cleared', violations: [VIOLATION] };

const HAPPENINGS: readonly Happening[] = [
  { type: 'filed', ticket: KILLED_STORE.id, violations: [VIOLATION], recurrenceOf: null },
  { type: 'moved', from: 'filed', to: 'investigating', why: 'dispatched', because: VIOLATION.message },
  { type: 'turn', turn: 1, run: 'run-1' },
  { type: 'picture', evidence: E(1), lines: ['3 of 4 stores Up, PD ok', 'tikv-0: exited 137, died'] },
  { type: 'thought', reasoner: 'rules', model: null, board: BOARDS.open, next: 'look at 2: to tell apart', usd: 0 },
  {
    type: 'looked',
    why: 'to tell apart',
    evidence: [
      looked(2, 'labctl inspect tikv-0', 'tikv-0 exited 137, died'),
      looked(3, 'labctl logs tikv-0', 'no line'),
    ],
  },
  { type: 'turn', turn: 2, run: 'run-1' },
  { type: 'picture', evidence: E(4), lines: ['3 of 4 stores Up, PD ok'] },
  { type: 'thought', reasoner: 'rules', model: null, board: BOARDS.settled, next: 'propose', usd: 0 },
  { type: 'moved', from: 'investigating', to: 'proposing', why: 'proposed', because: PROPOSAL.title },
  { type: 'proposed', proposal: PROPOSAL },
  {
    type: 'ruled',
    proposal: 1,
    ruling: { kind: 'pre-approved', reason: 'policy lab pre-approves start-store' },
    steps: [],
    basisHash: 'cafe',
    margin: 'tightest group region-10: 2 of 3 live, 2 needed',
  },
  { type: 'moved', from: 'proposing', to: 'remediating', why: 'permitted', because: 'pre-approved' },
  { type: 'gate', granted: true, reason: 'lease on tikv-0' },
  {
    type: 'acted',
    proposal: 1,
    step: 1,
    command: 'lab$ labctl start tikv-0',
    outcome: 'ok',
    exit: 0,
    journal: 'run-1.uuid.1.1',
    reason: 'exit 0',
  },
  { type: 'moved', from: 'remediating', to: 'verifying', why: 'acted', because: '1 of 1 steps ran' },
  sample(0),
  sample(0),
  sample(1),
  sample(2),
  sample(3),
  cleared,
  sample(4),
  sample(5),
  sample(6),
  { type: 'proof', result: 'healthy', reason: 'healthy 6 of 6; cause gone', overMs: 11_400 },
  { type: 'moved', from: 'verifying', to: 'resolved', why: 'proven', because: 'healthy 6 of 6; cause gone' },
  { type: 'closed', phase: 'resolved', by: 'medic', note: '' },
];

/** One event each second from the filing on. */
export const STORY: readonly TrailEvent[] = HAPPENINGS.map((happening, i) => ({
  seq: i + 1,
  at: after(i),
  ...happening,
}));

function after(seconds: number): Instant {
  return instant(Date.parse(KILLED_STORE.filedAt) + seconds * 1_000);
}

/** The ticket at its end, as it is archived. */
export function archivedKill({ history = null }: { history?: string | null } = {}): ArchivedTicket {
  const limits = { turns: 30, looks: 60, acts: 4, tokens: 0, usd: 0, wallMs: 3_600_000 };
  const { id, filedAt } = KILLED_STORE;
  const opened = openTicket(
    { id, subject: 'tikv', at: filedAt, violations: [VIOLATION], recurrenceOf: null, flapping: false },
    { environment: 'lab', agent: 'on-call-triage', limits, causes: ['process-dead', 'process-frozen'] },
  );
  const ticket: Ticket = {
    ...opened,
    phase: 'resolved',
    violations: [],
    cleared: [{ violation: VIOLATION, at: filedAt }],
    turn: 2,
    board: BOARDS.settled,
    spent: { turns: 2, looks: 2, acts: 1, tokens: 0, usd: 0, wallMs: 28_000 },
    proof: { result: 'healthy', causeGone: true, at: filedAt },
    trail: { events: STORY, nextSeq: STORY.length + 1 },
  };
  return {
    ticket,
    closedAt: after(STORY.length),
    phase: 'resolved',
    trail: STORY,
    report: writeReport(ticket),
    history,
  };
}
