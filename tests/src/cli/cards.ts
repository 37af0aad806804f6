import type { CardView } from '../../../src/cli/decision-card.js';
import { evidenceId } from '../../../src/domain/ids.js';
import { archivedStatus } from '../../../src/runtime/archived-status.js';
import { archivedKill, BOARDS, KILLED_STORE, PROPOSAL, STORY } from '../../support/killed-store.js';

/** The card of the killed store while its plan waits; a person sees it for the first time. */
export const CARD: CardView = {
  status: {
    ...archivedStatus(archivedKill()),
    phase: 'awaiting-approval',
    waitsFor: 'you',
    proof: null,
    pending: {
      proposal: PROPOSAL,
      ruling: { kind: 'needs-approval', reason: 'policy lab does not pre-approve start-store' },
      basis: [
        { fact: 'step 1: tikv-0 process', value: 'exited', compare: 'equal' },
        { fact: 'step 1: impaired elsewhere', value: 'none', compare: 'fewer' },
        { fact: 'step 1: command', value: '{"command":"labctl start tikv-0"}', compare: 'equal' },
        { fact: 'step 1: undo', value: '{"kind":"none"}', compare: 'equal' },
      ],
      basisHash: 'cafe',
      ...{ run: 'run-1', need: null, approvals: [] },
      expiresAt: '2026-01-02T03:35:15.000Z',
      margin: 'tightest group region-10: 2 of 3 live, 2 needed',
      steps: [
        {
          commands: ['labctl start tikv-0'],
          ruling: { kind: 'needs-approval', reason: 'policy lab does not pre-approve start-store' },
        },
      ],
    },
    ahead: [
      { what: 'remind', at: '2026-01-02T03:16:15.000Z' },
      { what: 'tell', at: '2026-01-02T03:21:15.000Z', who: ['pager', 'boss'] },
      { what: 'expire', at: '2026-01-02T03:35:15.000Z' },
    ],
  },
  board: BOARDS.settled,
  evidence: STORY.flatMap((event) => (event.type === 'looked' ? event.evidence : [])).map((each) =>
    each.id === evidenceId(2) ? { ...each, head: 'State: exited 137\n' } : each,
  ),
  now: Date.parse(KILLED_STORE.filedAt) + 130_000,
};

/** The same with another plan or other facts. */
export const cardWith = (part: Partial<CardView['status']['pending']>): CardView => ({
  ...CARD,
  status: { ...CARD.status, pending: { ...CARD.status.pending, ...part } },
});
