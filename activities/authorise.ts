import { MedicError } from '../src/domain/errors.js';
import { type Instant, instant, subjectOf } from '../src/domain/ids.js';
import { needOf } from '../src/policy/authority.js';
import { isEnough, type Scales, standing, weigh } from '../src/policy/weigh.js';
import type { Authorisation, AuthoriseActivities, AuthoriseInput } from '../workflows/activity-contract.js';
import { matterOf, type RulingDeps } from './ruling.js';
import { currentRun } from './run-id.js';

export type AuthoriseDeps = Pick<RulingDeps, 'policy' | 'authority' | 'now'>;

/** How long an answer that does not say so may be acted on. */
const UNSAID_MS = 15 * 60_000;

/** Weighs an answer with the configuration of this moment. `act` does it again, right before each step. */
export function createAuthorise(deps: AuthoriseDeps): AuthoriseActivities {
  return {
    async authorise(input): Promise<Authorisation> {
      if (input.run !== undefined && input.run !== currentRun())
        return { kind: 'reset', reason: 'the ticket was reset since it asked' };
      try {
        return weighed(input, await scalesOf(deps, input));
      } catch (error) {
        if (!(error instanceof MedicError)) throw error;
        return { kind: 'refused', code: error.code, reason: error.message };
      }
    },
  };
}

async function scalesOf(deps: AuthoriseDeps, input: AuthoriseInput): Promise<Scales> {
  const { proposal, ruling, basisHash } = input;
  const { authority, matter } = await matterOf(deps, {
    subject: subjectOf(input.ticket),
    ruling,
    steps: proposal.steps,
  });
  return { authority, matter, run: currentRun(), proposal: proposal.id, basisHash, now: instant(deps.now()) };
}

function weighed({ decision, approvals }: AuthoriseInput, scales: Scales): Authorisation {
  const weight = weigh(scales, decision);
  if (!weight.ok) return { kind: 'refused', code: weight.code, reason: weight.reason };
  if (decision.answer === 'deny') return { kind: 'counts', approvals: [] };
  const stand = standing(scales, [...approvals, { ...decision, expiresAt: decision.expiresAt ?? until(scales) }]);
  if (isEnough(scales, stand)) return { kind: 'counts', approvals: stand };
  return { kind: 'more', approvals: stand, need: needOf(scales.authority, scales.matter) };
}

const until = ({ now }: Scales): Instant => instant(Date.parse(now) + UNSAID_MS);
