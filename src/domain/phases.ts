/** Phases in which a ticket still needs work or an answer. */
export const OPEN_PHASES = [
  'filed',
  'investigating',
  'proposing',
  'awaiting-approval',
  'remediating',
  'verifying',
  'undoing',
  'escalated',
] as const;

/** How a ticket can end. `resolved` always has a proof behind it. */
export const CLOSED_PHASES = [
  'resolved',
  'no-fault',
  'self-cleared',
  'aborted',
  'closed-by-person',
  'duplicate',
] as const;

export type OpenPhase = (typeof OPEN_PHASES)[number];
export type ClosedPhase = (typeof CLOSED_PHASES)[number];
export type Phase = OpenPhase | ClosedPhase;

/** Why a ticket moves. The reason is recorded in the trail and is a metric label, so the set is closed. */
export type Move = keyof typeof MOVES;

const BEFORE_ANY_ACT = ['filed', 'investigating', 'proposing', 'awaiting-approval', 'escalated'] as const;
/** Where a person may end a ticket without interrupting a command. */
const AT_REST = ['filed', 'investigating', 'proposing', 'awaiting-approval', 'verifying', 'escalated'] as const;

export const MOVES = {
  dispatched: { from: ['filed'], to: 'investigating' },
  proposed: { from: ['investigating'], to: 'proposing' },
  notFounded: { from: ['proposing'], to: 'investigating' },
  refused: { from: ['proposing'], to: 'investigating' },
  needsPerson: { from: ['proposing'], to: 'awaiting-approval' },
  permitted: { from: ['proposing', 'awaiting-approval'], to: 'remediating' },
  denied: { from: ['awaiting-approval'], to: 'investigating' },
  expired: { from: ['awaiting-approval'], to: 'investigating' },
  amended: { from: ['awaiting-approval'], to: 'proposing' },
  basisChanged: { from: ['remediating', 'awaiting-approval'], to: 'proposing' },
  notRun: { from: ['remediating'], to: 'investigating' },
  acted: { from: ['remediating'], to: 'verifying' },
  proven: { from: ['verifying'], to: 'resolved' },
  notBetter: { from: ['verifying'], to: 'investigating' },
  worse: { from: ['verifying'], to: 'undoing' },
  interrupted: { from: ['remediating', 'verifying'], to: 'undoing' },
  undone: { from: ['undoing'], to: 'investigating' },
  noFault: { from: ['investigating'], to: 'no-fault' },
  duplicated: { from: ['investigating'], to: 'duplicate' },
  selfCleared: { from: BEFORE_ANY_ACT, to: 'self-cleared' },
  escalated: { from: OPEN_PHASES.filter((phase) => phase !== 'escalated'), to: 'escalated' },
  taken: { from: OPEN_PHASES, to: 'escalated' },
  hinted: { from: ['escalated'], to: 'investigating' },
  askedAgain: { from: ['escalated'], to: 'awaiting-approval' },
  aborted: { from: OPEN_PHASES, to: 'aborted' },
  closedByPerson: { from: AT_REST, to: 'closed-by-person' },
} as const satisfies Record<string, { from: readonly OpenPhase[]; to: Phase }>;

/** A bug in Medic, never a user error. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  constructor(phase: Phase, why: Move) {
    super(`a ticket in phase ${phase} cannot move by ${why}`);
  }
}

/** Where `why` leads from `phase`. Throws `IllegalMove`. */
export function nextPhase(phase: Phase, why: Move): Phase {
  const edge = MOVES[why];
  if (!(edge.from as readonly Phase[]).includes(phase)) throw new IllegalMove(phase, why);
  return edge.to;
}

export const isClosed = (phase: Phase): phase is ClosedPhase => (CLOSED_PHASES as readonly Phase[]).includes(phase);
