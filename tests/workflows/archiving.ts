import { createDeskwork, type DeskworkDeps } from '../../activities/deskwork.js';
import { createArchive } from '../../src/evidence/archive.js';
import type { DeskworkActivities } from '../../workflows/activity-contract.js';

/** The real activity that archives into a home, without what else its kind does. */
export function archiving({
  home,
  history,
}: { readonly home: string } & Pick<DeskworkDeps, 'history'>): Pick<DeskworkActivities, 'archive'> {
  const unused = () => Promise.reject(new Error('not asked here'));
  const { archive } = createDeskwork({
    ...{ rooms: new Map(), archive: createArchive({ home }), now: Date.now, history },
    desk: { report: unused, lease: unused, release: unused, recentRuns: unused, openTickets: unused },
    ...{ admission: unused, waits: unused, tell: unused },
  });
  return { archive };
}
