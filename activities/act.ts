import { subjectOf } from '../src/domain/ids.js';
import { type Basis, basisChanges, type Ruling } from '../src/domain/proposal.js';
import { whyNoExit } from '../src/host/collect.js';
import type { Host, Outcome } from '../src/host/host.js';
import { createJournal, keyName, type OnceAnswer } from '../src/host/journal.js';
import { judgeStep } from '../src/policy/judge.js';
import type { ActActivities, ActInput, ActOutcome } from '../workflows/contract.js';
import { cancellation, stopIfCancelled } from './cancellation.js';
import { beat } from './heartbeats.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { freshFacts, judgeInputFor, type RulingDeps } from './ruling.js';
import { currentRun, journalKey } from './run-id.js';

export interface ActDeps extends RulingDeps {
  readonly rooms: Rooms;
  /** Folder of the journal on each host. */
  readonly journalDir: string;
}

/** The heartbeat carries an abort to the command; the host's journal, not the heartbeat, guards against a second run. */
const BEAT_MS = 1_000;

/**
 * Carries out one step, once: the lease must last, policy is asked again on fresh facts, the basis is compared field by
 * field, and the host's journal takes the key before the command starts (DESIGN 8).
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
  const { call } = input.plan;
  if (call.kind === 'http') return refused('an HTTP call cannot be journalled on a host yet: a person does it');
  const host = room.hosts.get(call.host);
  if (!host) return refused(`no host named ${call.host}`);

  const { ruling, basis } = await judgeAgain(deps, room, input);
  if (!mayRun(ruling, input.approvedBy)) return refused(`policy now says ${ruling.kind}: ${ruling.reason}`);
  const changes = basisChanges(basisOfStep(input.basis, input.step), basis);
  if (changes.length > 0) return refused('the facts changed since it was ruled on', changes);

  const once = await createJournal({ host, dir: deps.journalDir }).runOnce(
    { key, command: call.command, limits: { timeoutMs: input.plan.timeoutMs } },
    cancellation(),
  );
  await stopIfCancelled();
  return toOutcome(once, { journal, host });
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

const mayRun = ({ kind }: Ruling, approvedBy: string | null): boolean =>
  kind === 'read' || kind === 'pre-approved' || (kind === 'needs-approval' && approvedBy !== null);

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
