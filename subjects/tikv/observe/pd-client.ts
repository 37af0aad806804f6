import type { HttpCall } from '../../../src/domain/query.js';
import { createCancel } from './cancel.js';
import { askHttp, type HttpAccess, type HttpOutcome } from './http.js';

export interface PdClientOptions {
  readonly endpoints: readonly { readonly name: string; readonly clientUrl: string }[];
  /** Deadline of one look, over all members that are asked for it. */
  readonly requestMs: number;
  /** The same of one change; default 10,000, and never less than a look's. */
  readonly changeMs?: number;
  /** Asked for each request, so that renewed certificates are in force at once. Absent: nobody asks who we are. */
  readonly access?: () => HttpAccess;
}

/**
 * A change is never sent twice, so it is given more time than a look: PD waits up to 3 s for a leader and answers then,
 * and an answer that comes late is better than not to know.
 */
const CHANGE_MS = 10_000;

export interface PdQuestion {
  readonly method: HttpCall['method'];
  readonly path: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** One member's turn at a question. */
export interface Attempt {
  readonly node: string;
  readonly outcome: HttpOutcome;
}

export type PdAnswer =
  | { readonly kind: 'answered'; readonly node: string; readonly status: number; readonly body: string }
  /** No member could answer. What each one did stays visible: refusing and having no leader are different things. */
  | { readonly kind: 'unanswered'; readonly reason: string; readonly attempts: readonly Attempt[] };

/** PD over all its members. */
export interface PdClient {
  /** Asks the member that answered last, then the others. */
  ask(question: PdQuestion): Promise<PdAnswer>;
  /** Asks just this member, for what each one answers by itself. */
  askMember(node: string, question: PdQuestion): Promise<HttpOutcome>;
}

/** Creates the client; it holds no connection open. */
export function createPdClient({ endpoints, requestMs, changeMs = CHANGE_MS, access }: PdClientOptions): PdClient {
  let preferred = endpoints[0]?.name ?? '';

  const deadlineOf = ({ method }: PdQuestion) => (method === 'GET' ? requestMs : Math.max(requestMs, changeMs));

  async function attempt(node: string, question: PdQuestion, deadlineMs: number): Promise<Attempt> {
    const origin = endpoints.find(({ name }) => name === node)?.clientUrl;
    if (origin === undefined) return { node, outcome: { kind: 'broken', why: `${node} is no member of PD` } };
    const ask = { ...question, origin, deadlineMs: Math.max(1, deadlineMs), access: access?.() };
    return { node, outcome: await askHttp(ask) };
  }

  return {
    async ask(question) {
      const nodes = endpoints.map(({ name }) => name);
      const order = [preferred, ...nodes.filter((node) => node !== preferred)];
      const round = { order, question, requestMs: deadlineOf(question), attempt };
      const answer = await (question.method === 'GET' ? hedged : oneByOne)(round);
      if (answer.kind === 'answered') preferred = answer.node;
      return answer;
    },
    async askMember(node, question) {
      return (await attempt(node, question, deadlineOf(question))).outcome;
    },
  };
}

interface Round {
  readonly order: readonly string[];
  readonly question: PdQuestion;
  readonly requestMs: number;
  readonly attempt: (node: string, question: PdQuestion, deadlineMs: number) => Promise<Attempt>;
}

/**
 * For reads. A frozen member takes connections and says nothing, so the next one is asked beside it after its share of
 * the time; the first good answer wins and ends the other attempts.
 */
async function hedged({ order, question, requestMs, attempt }: Round): Promise<PdAnswer> {
  const startedAt = performance.now();
  const losers = createCancel(question.signal);
  const running: Promise<Attempt>[] = [];
  try {
    for (const [turn, node] of order.entries()) {
      const leftMs = requestMs - (performance.now() - startedAt);
      running.push(attempt(node, { ...question, signal: losers.signal }, leftMs));
      const isLast = turn === order.length - 1;
      const good = await firstGood(running, isLast ? null : requestMs / order.length);
      if (good) return good;
    }
    return unanswered(await Promise.all(running));
  } finally {
    losers.cancel();
    losers.release();
  }
}

/** For changes: another member is tried only where nobody can have seen the request. */
async function oneByOne({ order, question, requestMs, attempt }: Round): Promise<PdAnswer> {
  const attempts: Attempt[] = [];
  for (const node of order) {
    const tried = await attempt(node, question, requestMs);
    attempts.push(tried);
    if (tried.outcome.kind !== 'refused') return goodAnswer(tried) ?? unanswered(attempts);
  }
  return unanswered(attempts);
}

/** The first good answer; `null` when all of them failed or the time is over. */
async function firstGood(running: readonly Promise<Attempt>[], withinMs: number | null): Promise<PdAnswer | null> {
  const good = Promise.any(running.map((attempt) => attempt.then(requireGood))).catch(() => null);
  if (withinMs === null) return good;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  return Promise.race([good, over]).finally(() => clearTimeout(timer));
}

function requireGood(attempt: Attempt): PdAnswer {
  const good = goodAnswer(attempt);
  if (!good) throw new Error(`no good answer of ${attempt.node}`);
  return good;
}

/** A 5xx is a member without a leader or one that just starts (`[PD:apiutil:ErrRedirect...`): another may know more. */
function goodAnswer({ node, outcome }: Attempt): PdAnswer | null {
  if (outcome.kind !== 'answered' || outcome.status >= 500) return null;
  return { kind: 'answered', node, status: outcome.status, body: outcome.body };
}

function unanswered(attempts: readonly Attempt[]): PdAnswer {
  return {
    kind: 'unanswered',
    reason: attempts.map(({ node, outcome }) => `${node}: ${describe(outcome)}`).join('; '),
    attempts,
  };
}

/** An outcome in words: `connection refused`, `500 [PD:apiutil:ErrRedirect]redirect failed`. */
export function describe(outcome: HttpOutcome): string {
  return outcome.kind === 'answered' ? `${outcome.status} ${outcome.body.trim().slice(0, 120)}`.trim() : outcome.why;
}
