import { hotRegions, hotStores, hotspotBuckets } from '../answers/hotspot.js';
import { limitScene, storeLimits } from '../answers/store-limits.js';
import { labels, storesByState, storesWithLabel } from '../answers/store-lists.js';
import { storeProgress } from '../answers/store-progress.js';
import { store, stores } from '../answers/stores.js';
import { trend } from '../answers/trend.js';
import { ofCluster, type Route, V1 } from '../route.js';

/** Stores: reading, and what an operator's hand changes of them. */
export const STORE_ROUTES: readonly Route[] = [
  ofCluster(`${V1}/stores`, (view, ask) => stores(view, ask.query)),
  ofCluster(`${V1}/stores/check`, (view, ask) => storesByState(view, ask.query)),
  ofCluster(`${V1}/stores/progress`, (view, ask) => storeProgress(view, ask.query)),
  ofCluster(`${V1}/stores/limit`, (view) => storeLimits(view)),
  ofCluster(`${V1}/stores/limit/scene`, () => limitScene()),
  ofCluster(`${V1}/store/([^/]+)`, (view, _ask, [id = '']) => store(view, id)),
  ofCluster(`${V1}/labels`, (view) => labels(view)),
  ofCluster(`${V1}/labels/stores`, (view, ask) => storesWithLabel(view, ask.query)),
  ofCluster(`${V1}/trend`, (view) => trend(view)),
  ofCluster(`${V1}/hotspot/regions/(read|write)`, (view, ask, [kind]) =>
    hotRegions(view, { kind: kind === 'read' ? 'read' : 'write', query: ask.query }),
  ),
  { ...ofCluster(`${V1}/hotspot/stores`, (view) => hotStores(view)), need: 'nothing' },
  ofCluster(`${V1}/hotspot/buckets`, () => hotspotBuckets()),
];
