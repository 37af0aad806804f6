import { checker } from '../answers/checkers.js';
import { diagnostic } from '../answers/diagnostic.js';
import { operator, operatorRecords, operators } from '../answers/operators.js';
import { schedulerConfig } from '../answers/scheduler-config.js';
import { schedulers } from '../answers/schedulers.js';
import { addOperator, removeOperator, removeOperators } from '../changes/operators.js';
import { configureScheduler, removeFromScheduler } from '../changes/scheduler-config.js';
import { addScheduler, pauseChecker, pauseScheduler, removeScheduler } from '../changes/schedulers.js';
import { changeOfCluster, ofCluster, type Route, V1 } from '../route.js';

/** Schedulers, checkers and operators. */
export const SCHEDULER_ROUTES: readonly Route[] = [
  ofCluster(`${V1}/schedulers`, (view, ask) => schedulers(view, ask.query)),
  changeOfCluster('POST', `${V1}/schedulers`, (view, ask) => addScheduler(view, ask)),
  changeOfCluster('POST', `${V1}/schedulers/([^/]+)`, (view, ask, [name = '']) => pauseScheduler(view, name, ask)),
  changeOfCluster('DELETE', `${V1}/schedulers/([^/]+)`, (view, _ask, [name = '']) => removeScheduler(view, name)),
  changeOfCluster('POST', `${V1}/checker/([^/]+)`, (_view, ask, [name = '']) => pauseChecker(name, ask)),
  ofCluster(`${V1}/schedulers/diagnostic/([^/]+)`, (view, _ask, [name = '']) => diagnostic(view, name)),
  ofCluster(`${V1}/scheduler-config/([^/]+)/list`, (view, _ask, [name = '']) => schedulerConfig(view, name)),
  changeOfCluster('POST', `${V1}/scheduler-config/([^/]+)/config`, (view, ask, [name = '']) =>
    configureScheduler(view, name, ask),
  ),
  changeOfCluster('DELETE', `${V1}/scheduler-config/([^/]+)/delete/([^/]+)`, (view, _ask, [name = '', store = '']) =>
    removeFromScheduler(view, name, store),
  ),
  ofCluster(`${V1}/checker/([^/]+)`, (view, _ask, [name = '']) => checker(view, name)),
  ofCluster(`${V1}/operators`, (view, ask) => operators(view, ask.query)),
  changeOfCluster('POST', `${V1}/operators`, (view, ask) => addOperator(view, ask)),
  changeOfCluster('DELETE', `${V1}/operators`, (view) => removeOperators(view)),
  changeOfCluster('DELETE', `${V1}/operators/([^/]+)`, (view, _ask, [id = '']) => removeOperator(view, id)),
  ofCluster(`${V1}/operators/records`, (view, ask) => operatorRecords(view, ask.query)),
  ofCluster(`${V1}/operators/([^/]+)`, (view, _ask, [id = '']) => operator(view, id)),
];
