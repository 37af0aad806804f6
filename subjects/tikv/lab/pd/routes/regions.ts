import { type CheckClass, IN_CLASS, regionHistogram, regionsInClass } from '../answers/region-checks.js';
import {
  keyspaceRegions,
  rangeHoles,
  regionAtKey,
  regionsFromKey,
  siblings,
  topRegions,
} from '../answers/region-lists.js';
import { region, regionCount, regionStats, regions, regionsOnStore } from '../answers/regions.js';
import { ofCluster, type Route, V1 } from '../route.js';

const CLASSES = Object.keys(IN_CLASS).join('|');

/** Regions, read only. */
export const REGION_ROUTES: readonly Route[] = [
  ofCluster(`${V1}/regions`, (view) => regions(view)),
  ofCluster(`${V1}/regions/count`, (view) => regionCount(view)),
  ofCluster(`${V1}/region/id/([^/]+)`, (view, _ask, [id = '']) => region(view, id)),
  ofCluster(`${V1}/region/key/([^/]+)`, (view, _ask, [key = '']) => regionAtKey(view, key)),
  ofCluster(`${V1}/regions/key`, (view, ask) => regionsFromKey(view, ask.query)),
  ofCluster(`${V1}/regions/store/([^/]+)`, (view, ask, [id = '']) => regionsOnStore(view, id, ask.query)),
  ofCluster(`${V1}/regions/keyspace/id/([^/]+)`, (view, _ask, [id = '']) => keyspaceRegions(view, id)),
  ofCluster(`${V1}/regions/sibling/([^/]+)`, (view, _ask, [id = '']) => siblings(view, id)),
  ofCluster(`${V1}/regions/range-holes`, (view) => rangeHoles(view)),
  ofCluster(`${V1}/regions/(writeflow|readflow|size|keys|confver|version)`, (view, ask, [by = '']) =>
    topRegions(view, { by, query: ask.query }),
  ),
  ofCluster(`${V1}/regions/check/(${CLASSES})`, (view, _ask, [name]) => regionsInClass(view, name as CheckClass)),
  ofCluster(`${V1}/regions/check/hist-(size|keys)`, (view, ask, [of]) =>
    regionHistogram(view, { of: of === 'size' ? 'size' : 'keys', query: ask.query }),
  ),
  ofCluster(`${V1}/stats/region`, (view, ask) => regionStats(view, ask.query)),
];
