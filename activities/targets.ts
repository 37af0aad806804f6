import type { LookActivities } from '../workflows/activity-contract.js';
import { cancellation } from './cancellation.js';
import { type Rooms, roomOf } from './room.js';

/** The members of a subject by name, from a fresh picture: what a maintenance window may be on. */
export function createTargets({ rooms }: { readonly rooms: Rooms }): Pick<LookActivities, 'targets'> {
  return {
    async targets({ subject: name }) {
      const { subject, eyes } = roomOf(rooms, name);
      const { members } = subject.quorum(await eyes.observe('placement', cancellation()));
      return members.map(({ id }) => id);
    },
  };
}
