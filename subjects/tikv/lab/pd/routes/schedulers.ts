import { checker } from '../answers/checkers.js';
import { diagnostic } from '../answers/diagnostic.js';
import { operator, operatorRecords, operators } from '../answers/operators.js';
import { schedulerConfig } from '../answers/scheduler-config.js';
import { schedulers } from '../answers/schedulers.js';
import { ofCluster, type Route, V1 } from '../route.js';

/** Schedulers, checkers and operators. */
export const SCHEDULER_ROUTES: readonly Route[] = [
  ofCluster(`${V1}/schedulers`, (view, ask) => schedulers(view, ask.query)),
  ofCluster(`${V1}/schedulers/diagnostic/([^/]+)`, (view, _ask, [name = '']) => diagnostic(view, name)),
  ofCluster(`${V1}/scheduler-config/([^/]+)/list`, (view, _ask, [name = '']) => schedulerConfig(view, name)),
  ofCluster(`${V1}/checker/([^/]+)`, (view, _ask, [name = '']) => checker(view, name)),
  ofCluster(`${V1}/operators`, (_view, ask) => operators(ask.query)),
  ofCluster(`${V1}/operators/records`, (_view, ask) => operatorRecords(ask.query)),
  ofCluster(`${V1}/operators/([^/]+)`, (_view, _ask, [id = '']) => operator(id)),
];
