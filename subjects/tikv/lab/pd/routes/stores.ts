import { hotRegions, hotStores, hotspotBuckets } from '../answers/hotspot.js';
import { limitScene, storeLimits } from '../answers/store-limits.js';
import { labels, storesByState, storesWithLabel } from '../answers/store-lists.js';
import { storeProgress } from '../answers/store-progress.js';
import { store, stores } from '../answers/stores.js';
import { trend } from '../answers/trend.js';
import { labelStore, limitStore, limitStores, unlabelStore, weighStore } from '../changes/store-settings.js';
import { removeStore, removeTombstones, setStoreState } from '../changes/store-state.js';
import { changeOfCluster, ofCluster, type Route, V1 } from '../route.js';

/** Stores: reading, and what an operator's hand changes of them. */
export const STORE_ROUTES: readonly Route[] = [
  ofCluster(`${V1}/stores`, (view, ask) => stores(view, ask.query)),
  ofCluster(`${V1}/stores/check`, (view, ask) => storesByState(view, ask.query)),
  ofCluster(`${V1}/stores/progress`, (view, ask) => storeProgress(view, ask.query)),
  ofCluster(`${V1}/stores/limit`, (view) => storeLimits(view)),
  ofCluster(`${V1}/stores/limit/scene`, () => limitScene()),
  ofCluster(`${V1}/store/([^/]+)`, (view, _ask, [id = '']) => store(view, id)),
  changeOfCluster('DELETE', `${V1}/store/([^/]+)`, (view, ask, [id = '']) =>
    removeStore(view, id, ask.query.has('force') ? 'by-force' : 'orderly'),
  ),
  changeOfCluster('POST', `${V1}/store/([^/]+)/state`, (view, ask, [id = '']) =>
    setStoreState(view, id, ask.query.get('state') ?? ''),
  ),
  changeOfCluster('POST', `${V1}/store/([^/]+)/label`, (view, ask, [id = '']) => labelStore(view, id, ask)),
  changeOfCluster('DELETE', `${V1}/store/([^/]+)/label`, (view, ask, [id = '']) => unlabelStore(view, id, ask)),
  changeOfCluster('POST', `${V1}/store/([^/]+)/weight`, (view, ask, [id = '']) => weighStore(view, id, ask)),
  changeOfCluster('POST', `${V1}/store/([^/]+)/limit`, (view, ask, [id = '']) => limitStore(view, id, ask)),
  changeOfCluster('POST', `${V1}/stores/limit`, (view, ask) => limitStores(view, ask)),
  changeOfCluster('DELETE', `${V1}/stores/remove-tombstone`, (view) => removeTombstones(view)),
  ofCluster(`${V1}/labels`, (view) => labels(view)),
  ofCluster(`${V1}/labels/stores`, (view, ask) => storesWithLabel(view, ask.query)),
  ofCluster(`${V1}/trend`, (view) => trend(view)),
  ofCluster(`${V1}/hotspot/regions/(read|write)`, (view, ask, [kind]) =>
    hotRegions(view, { kind: kind === 'read' ? 'read' : 'write', query: ask.query }),
  ),
  { ...ofCluster(`${V1}/hotspot/stores`, (view) => hotStores(view)), need: 'nothing' },
  ofCluster(`${V1}/hotspot/buckets`, () => hotspotBuckets()),
];
