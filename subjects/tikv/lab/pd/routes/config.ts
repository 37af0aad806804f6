import {
  clusterVersionConfig,
  defaultConfig,
  labelPropertyConfig,
  replicationConfig,
  replicationModeConfig,
  scheduleConfig,
  serverConfig,
} from '../answers/config.js';
import {
  placementGroup,
  placementGroups,
  regionLabelRules,
  rule,
  ruleGroup,
  ruleGroups,
  rules,
  rulesOfGroup,
  rulesOfRegion,
  rulesOfRegionInDetail,
} from '../answers/rules.js';
import { setConfig, setSection } from '../changes/config.js';
import { removeRule, setRule } from '../changes/rules.js';
import { changeOfCluster, changeOnLeader, ofCluster, onLeader, type Route, V1 } from '../route.js';

const CONFIG = `${V1}/config`;

/** Settings and placement rules. */
export const CONFIG_ROUTES: readonly Route[] = [
  onLeader(`${CONFIG}/schedule`, (view) => scheduleConfig(view)),
  onLeader(`${CONFIG}/replicate`, (view) => replicationConfig(view)),
  changeOnLeader('POST', CONFIG, (view, ask) => setConfig(view, ask)),
  changeOnLeader('POST', `${CONFIG}/schedule`, (view, ask) => setSection(view, 'schedule', ask)),
  changeOnLeader('POST', `${CONFIG}/replicate`, (view, ask) => setSection(view, 'replication', ask)),
  onLeader(`${CONFIG}/pd-server`, (view) => serverConfig(view)),
  onLeader(`${CONFIG}/replication-mode`, () => replicationModeConfig()),
  onLeader(`${CONFIG}/cluster-version`, (view) => clusterVersionConfig(view)),
  onLeader(`${CONFIG}/label-property`, () => labelPropertyConfig()),
  onLeader(`${CONFIG}/default`, (view) => defaultConfig(view)),

  ofCluster(`${CONFIG}/rules`, (view) => rules(view)),
  ofCluster(`${CONFIG}/rules/group/([^/]+)`, (view, _ask, [group = '']) => rulesOfGroup(view, group)),
  ofCluster(`${CONFIG}/rules/region/([^/]+)`, (view, _ask, [id = '']) => rulesOfRegion(view, id)),
  ofCluster(`${CONFIG}/rules/region/([^/]+)/detail`, (view, _ask, [id = '']) => rulesOfRegionInDetail(view, id)),
  ofCluster(`${CONFIG}/rule/([^/]+)/([^/]+)`, (view, _ask, [group = '', id = '']) => rule(view, { group, id })),
  changeOfCluster('POST', `${CONFIG}/rule`, (view, ask) => setRule(view, ask)),
  changeOfCluster('DELETE', `${CONFIG}/rule/([^/]+)/([^/]+)`, (_view, _ask, [group = '', id = '']) =>
    removeRule({ group, id }),
  ),
  ofCluster(`${CONFIG}/rule_groups`, () => ruleGroups()),
  ofCluster(`${CONFIG}/rule_group/([^/]+)`, (_view, _ask, [group = '']) => ruleGroup(group)),
  ofCluster(`${CONFIG}/placement-rule`, (view) => placementGroups(view)),
  ofCluster(`${CONFIG}/placement-rule/([^/]+)`, (view, _ask, [group = '']) => placementGroup(view, group)),
  ofCluster(`${CONFIG}/region-label/rules`, () => regionLabelRules()),
];
