import type { InjectedSinks } from '@temporalio/worker';
import type { StorySinks } from '../../../workflows/contract.js';
import type { TicketId } from '../../domain/ids.js';
import type { TrailEvent } from '../../domain/trail.js';

/** Hears the story of tickets. `always` also during a replay, which is how `medic replay` narrates. */
export const storySink = (
  tell: (ticket: TicketId, event: TrailEvent) => void,
  when: 'live' | 'always',
): InjectedSinks<StorySinks> => ({
  story: {
    event: { fn: (_info, ticket, event) => tell(ticket, event), callDuringReplay: when === 'always' },
  },
});
