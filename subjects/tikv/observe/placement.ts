import type { PlacedRegion, Placement } from '../picture.js';
import type { PdRegions } from './pd-schemas.js';
import { nameOfStore, type StoreNames } from './pd-stores.js';

/** `/pd/api/v1/regions` by the names of the stores. A joint-consensus peer that comes or goes counts as a voter. */
export function placementOf({ regions }: PdRegions, names: StoreNames): Placement {
  return { regions: regions.map((region) => placed(region, names)) };
}

function placed(region: PdRegions['regions'][number], names: StoreNames): PlacedRegion {
  const nameOf = ({ store_id }: { store_id: string }) => nameOfStore(names, store_id);
  const isLearner = ({ role_name }: { role_name: string }) => role_name === 'Learner';
  return {
    id: region.id,
    voters: region.peers.filter((peer) => !isLearner(peer)).map(nameOf),
    learners: region.peers.filter(isLearner).map(nameOf),
    leader: leaderOf(region.leader?.store_id, names),
    pending: (region.pending_peers ?? []).map(nameOf),
    down: (region.down_peers ?? []).map(({ peer }) => nameOf(peer)),
  };
}

/** PD writes a leader that was not reported since it loaded the region as `{}` or as store 0. */
function leaderOf(id: string | undefined, names: StoreNames): string | null {
  return id === undefined || id === '0' ? null : nameOfStore(names, id);
}
