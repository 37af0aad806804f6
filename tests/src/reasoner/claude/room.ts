import Anthropic from '@anthropic-ai/sdk';
import type { Digest } from '../../../../src/domain/digest.js';
import type { Evidence } from '../../../../src/domain/evidence.js';
import type { Hypothesis } from '../../../../src/domain/hypothesis.js';
import { evidenceId, hypothesisId, instant, ticketId } from '../../../../src/domain/ids.js';
import type { ModelCall } from '../../../../src/domain/next-step.js';
import type { BudgetPort, Reservation, Settlement } from '../../../../src/domain/reservation.js';
import type { EvidenceStore } from '../../../../src/evidence/store.js';
import type { Catalogue } from '../../../../src/reasoner/claude/catalogue.js';
import { type ClaudeDeps, createClaude } from '../../../../src/reasoner/claude/claude.js';
import { promptOf } from '../../../../src/reasoner/claude/prompt.js';
import { createSettling } from '../../../../src/reasoner/claude/settling.js';
import type { Attempt, Reasoner } from '../../../../src/reasoner/reasoner.js';
import { firstAttempt } from '../../../support/first-attempt.js';
import { calls, type MessagesApi } from '../../../support/messages-api.js';

/** A lamp in a hall, for a model that thinks about lamps. */
export const CATALOGUE: Catalogue = {
  causes: [
    { class: 'burnt-out', title: 'the bulb is burnt out' },
    { class: 'unplugged', title: 'somebody pulled the plug' },
  ],
  actions: [{ name: 'change-bulb', cures: ['burnt-out'] }],
  hosts: ['hall'],
  apis: ['switch'],
  programs: ['lampctl'],
  context: 'A lamp is lit or dark.',
};

export const AT = Date.parse('2026-11-30T12:00:00.000Z');

export const PRICES = {
  'claude-test': [{ from: '2026-01-01', input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 }],
  'claude-spare': [{ from: '2026-01-01', input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 }],
};

/** A call that was made and answered. */
export const paid: ModelCall = {
  model: 'first',
  requestId: 'req_1',
  tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
  usd: 0.01,
  pricesOf: '2026-01-01',
  promptSha: 'p',
  durationMs: 1,
  stop: 'tool_use',
};

/** A store in memory: what the real one keeps in files. */
export function memoryStore(): EvidenceStore & { readonly bodies: Map<string, string> } {
  const bodies = new Map<string, string>();
  return {
    bodies,
    async put(body) {
      const text = body.toString();
      const sha256 = `sha-${bodies.size + 1}`;
      bodies.set(sha256, text);
      return { sha256, bytes: text.length };
    },
    async get(sha256) {
      const text = bodies.get(sha256);
      if (text === undefined) throw new Error(`no ${sha256}`);
      return text;
    },
    has: async (sha256) => bodies.has(sha256),
  };
}

/** A budget that grants until `refuses` says why not, and keeps its books open to the test. */
export function openBudget(refuses: (asked: Reservation) => string | null = () => null) {
  const reservations: Reservation[] = [];
  const settlements: Settlement[] = [];
  const port: BudgetPort = {
    async reserve(asked) {
      const reason = refuses(asked);
      if (reason) return { granted: false, ceiling: 'month', reason };
      reservations.push(asked);
      return { granted: true };
    },
    async settle(settlement) {
      settlements.push(settlement);
    },
  };
  return { port, reservations, settlements };
}

export interface ModelRoom {
  readonly api: MessagesApi;
  readonly budget?: ReturnType<typeof openBudget>;
  readonly changes?: Partial<ClaudeDeps>;
  readonly timeoutMs?: number;
}

export function claudeOn({ api, budget = openBudget(), changes = {}, timeoutMs = 10_000 }: ModelRoom): Reasoner {
  return createClaude({
    client: new Anthropic({ apiKey: 'test-key', baseURL: api.origin, maxRetries: 0, timeout: timeoutMs }),
    model: 'claude-test',
    maxTokens: 1000,
    contextTokens: 60_000,
    stream: true,
    prices: PRICES,
    prompt: prompt(),
    evidence: memoryStore(),
    reserve: budget.port.reserve,
    settle: createSettling(budget.port),
    redact: (text) => text.replaceAll('hunter2hunter2', '[redacted]'),
    now: () => AT,
    ...changes,
  });
}

export const prompt = (text = 'You think about lamps.') =>
  promptOf({
    system: { name: 'system', version: 1, text },
    agent: {
      name: 'sitter',
      version: 3,
      sha256: 'a'.repeat(64),
      subject: 'lamps',
      actions: ['change-bulb'],
      looks: { apis: ['switch'], programs: ['lampctl'] },
      limits: { turns: 30, looks: 60, acts: 4, tokens: 400_000, usd: 2, wallMs: 3_600_000 },
      runbook: 'Look at the switch first.',
    },
    catalogue: CATALOGUE,
  });

export const answered = (n: number, changes: Partial<Evidence> = {}): Evidence => ({
  id: evidenceId(n),
  at: instant(AT),
  host: 'hall',
  call: { kind: 'shell', host: 'hall', command: `lampctl ask ${n}` },
  exit: 0,
  durationMs: 5,
  line: `exit 0: answer ${n}`,
  head: `answer ${n}`,
  tail: '',
  bytes: 8,
  sha256: `sha-e${n}`,
  redactions: 0,
  tainted: true,
  ...changes,
});

export const hypothesis = (n: number, changes: Partial<Hypothesis> = {}): Hypothesis => ({
  id: hypothesisId(n),
  claim: 'the bulb is burnt out',
  cause: { class: 'burnt-out', target: 'lamp-1' },
  status: 'open',
  confidence: [{ turn: 1, value: 0.4 }],
  for: [],
  against: [],
  because: 'lamps burn out',
  ...changes,
});

export function digest(changes: Partial<Digest> = {}): Digest {
  return {
    ticket: ticketId('lamps', 7),
    subject: 'lamps',
    environment: 'lab',
    turn: 1,
    agent: 'sitter',
    transcript: null,
    at: instant(AT),
    violations: [],
    cleared: [],
    expected: [],
    others: [],
    picture: { evidence: evidenceId(1), lines: ['lamp-1 is dark'] },
    board: [],
    evidence: [answered(1, { call: null, head: '' })],
    proposals: [],
    refusals: [],
    hints: [],
    left: { turns: 30, looks: 60, acts: 4, tokens: 400_000, usd: 2, wallMs: 60_000 },
    ...changes,
  };
}

/** Asks the reasoner for one turn; bodies of evidence are `line 1` to `line 40` with their id. */
export const think = (
  reasoner: Reasoner,
  given: Digest = digest(),
  { attempt = firstAttempt(), signal }: { readonly attempt?: Attempt; readonly signal?: AbortSignal } = {},
) =>
  reasoner.reason(given, {
    body: async (id) => Array.from({ length: 40 }, (_, i) => `${id} line ${i + 1}`).join('\n'),
    attempt,
    ...(signal ? { signal } : {}),
  });

export const look = (command = 'lampctl ask') =>
  calls('look', { why: 'to see', calls: [{ kind: 'shell', host: 'hall', command }] });

export const believe = (changes: object = {}) =>
  calls('update_hypotheses', {
    updates: [
      {
        cause: { class: 'burnt-out', target: 'lamp-1' },
        claim: 'the bulb is burnt out',
        status: 'supported',
        confidence: 0.8,
        for: ['e1'],
        against: [],
        because: 'it is dark',
        ...changes,
      },
    ],
  });
