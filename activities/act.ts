import { MedicError } from '../src/domain/errors.js';
import { subjectOf } from '../src/domain/ids.js';
import { type Basis, basisChanges, type Step } from '../src/domain/proposal.js';
import { whyNoExit } from '../src/host/collect.js';
import type { Host, Outcome } from '../src/host/host.js';
import type { HttpJournal, HttpOnceAnswer, HttpReply } from '../src/host/http-journal.js';
import { createJournal, type JournalKey, keyName, type OnceAnswer } from '../src/host/journal.js';
import { judgeStep } from '../src/policy/judge.js';
import type { ActActivities, ActInput, ActOutcome } from '../workflows/activity-contract.js';
import { cancellation, stopIfCancelled } from './cancellation.js';
import { beat } from './heartbeats.js';
import { whyNot } from './permission.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { freshFacts, judgeInputFor, type RulingDeps } from './ruling.js';
import { currentRun, journalKey } from './run-id.js';

export interface ActDeps extends RulingDeps {
  readonly rooms: Rooms;
  /** Folder of the journal on each host. */
  readonly journalDir: string;
  /** For the calls that Medic sends itself. */
  readonly httpJournal: HttpJournal;
}

/** The heartbeat carries an abort to the command; the host's journal, not the heartbeat, guards against a second run. */
const BEAT_MS = 1_000;

/**
 * Carries out one step, once: the lease must last, policy is asked again on fresh facts, the approvals are weighed again, the
 * basis is compared field by field, and a journal takes the key before the command starts or the call is sent (DESIGN 8).
 */
export function createAct(deps: ActDeps): ActActivities {
  return {
    async act(input) {
      const stop = beat(BEAT_MS);
      try {
        return await actOnce(deps, input);
      } finally {
        stop();
      }
    },
  };
}

async function actOnce(deps: ActDeps, input: ActInput): Promise<ActOutcome> {
  const room = roomOf(deps.rooms, subjectOf(input.ticket));
  const key = { run: currentRun(), proposal: input.proposal, step: input.step, try: input.try };
  const journal = keyName(key);
  const refused = (reason: string, changes: readonly string[] = []): ActOutcome => ({
    outcome: 'refused',
    journal,
    reason,
    changes,
  });

  const leftMs = Date.parse(input.lease.until) - deps.now();
  if (leftMs < input.plan.timeoutMs)
    return refused(`the lease ends in ${Math.round(leftMs / 1000)} s, before the command would`);
  const carryOut = means({ deps, room, key }, input.plan);
  if (typeof carryOut === 'string') return refused(carryOut);

  const { basis, forbidden } = await ruleAgain(deps, room, input);
  if (forbidden) return refused(forbidden);
  const changes = basisChanges(basisOfStep(input.basis, input.step), basis);
  if (changes.length > 0) return refused('the facts changed since it was ruled on', changes);

  const outcome = await carryOut();
  await stopIfCancelled();
  return outcome();
}

interface Place {
  readonly deps: ActDeps;
  readonly room: Room;
  readonly key: JournalKey;
}

/** How the step is carried out, once; the second function says what came of it. Or why it cannot be. */
function means({ deps, room, key }: Place, { call, timeoutMs }: Step): (() => Promise<() => ActOutcome>) | string {
  const journal = keyName(key);
  if (call.kind === 'http') {
    const send = (signal: AbortSignal) => room.eyes.http(call, signal);
    return async () => {
      const once = await deps.httpJournal.sendOnce({ key, call, timeoutMs, send }, cancellation());
      return () => toAnswer(once, journal);
    };
  }
  const host = room.hosts.get(call.host);
  if (!host) return `no host named ${call.host}`;
  return async () => {
    const onHost = createJournal({ host, dir: deps.journalDir });
    const once = await onHost.runOnce({ key, command: call.command, limits: { timeoutMs } }, cancellation());
    return () => toOutcome(once, { journal, host });
  };
}

/** Policy and approvals once more, by what is configured now. While a file of it has a mistake nothing runs. */
async function ruleAgain(
  deps: ActDeps,
  room: Room,
  input: ActInput,
): Promise<{ readonly basis: Basis; readonly forbidden: string | null }> {
  try {
    const { ruling, basis } = await judgeAgain(deps, room, input);
    return { basis, forbidden: await whyNot(deps, input, ruling) };
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    return { basis: [], forbidden: `it cannot be ruled on: ${error.code} ${error.message}` };
  }
}

async function judgeAgain(deps: ActDeps, room: Room, input: ActInput) {
  const facts = await freshFacts(room, deps.now, cancellation());
  const asked = await judgeInputFor(deps, room, {
    step: input.plan,
    phase: 'remediating',
    cause: input.cause,
    agent: input.agent,
    facts,
    key: journalKey(currentRun(), input),
  });
  return judgeStep(asked);
}

/** The facts of one step out of the basis of the whole proposal. */
function basisOfStep(basis: Basis, step: number): Basis {
  const prefix = `step ${step}: `;
  return basis
    .filter(({ fact }) => fact.startsWith(prefix))
    .map((fact) => ({ ...fact, fact: fact.fact.slice(prefix.length) }));
}

/** What is not known for certain is thrown, so that the workflow looks instead of believing. */
function toOutcome(once: OnceAnswer, { journal, host }: { journal: string; host: Host }): ActOutcome {
  switch (once.kind) {
    case 'ran':
      return ranTo(once.outcome, journal);
    case 'not-run':
      return { outcome: 'refused', journal, reason: `nothing ran on ${host.name}: ${once.reason}`, changes: [] };
    case 'already':
      if (once.entry.state === 'finished') return ranTo(once.entry.outcome, journal);
      throw new Error(`${journal} was started before and has not ended for certain`);
    case 'unknown':
      throw new Error(`${journal}: ${once.reason}`);
  }
}

function ranTo(outcome: Outcome, journal: string): ActOutcome {
  const { exitCode, tail, head } = outcome;
  const words = whyNoExit(outcome) ?? `exit ${exitCode}`;
  const shown = (tail || head).trim().slice(-500);
  return {
    outcome: exitCode === 0 && whyNoExit(outcome) === null ? 'ok' : 'failed',
    exit: exitCode,
    journal,
    reason: words,
    tail: shown,
  };
}

/** As for a command: what is not known for certain is thrown. */
function toAnswer(once: HttpOnceAnswer, journal: string): ActOutcome {
  switch (once.kind) {
    case 'ran':
      return repliedTo(once.reply, journal);
    case 'not-run':
      return { outcome: 'refused', journal, reason: `nothing was sent: ${once.reason}`, changes: [] };
    case 'already':
      if (once.entry.state === 'finished') return repliedTo(once.entry.reply, journal);
      throw new Error(`${journal} was sent before and what came of it is not known`);
  }
}

function repliedTo({ status, body, failure, sent }: HttpReply, journal: string): ActOutcome {
  const words = failure ?? 'no answer';
  if (sent === false) return { outcome: 'refused', journal, reason: `nothing was sent: ${words}`, changes: [] };
  if (status === null) throw new Error(`${journal}: ${words}`);
  const tail = body.trim().slice(0, 500);
  const isGood = status >= 200 && status < 300;
  return { outcome: isGood ? 'ok' : 'failed', exit: null, journal, reason: `HTTP ${status}`, tail };
}
