import type { Peer, RegionReport } from '../model.js';
import { maxReplicas, settingsOf } from '../settings.js';
import type { PdView } from '../view.js';
import { type Answer, json, parseErrorText } from './answer.js';

/** PD's only group and rule as long as nobody writes others, which this stand-in does not take. */
export const DEFAULT_RULE = { group: 'pd', id: 'default' } as const;
const { group: GROUP, id: RULE } = DEFAULT_RULE;
const RULE_NOT_FOUND = json('[PD:placement:ErrRuleNotFound]rule not found', 404);

/** Keyspace 0 and its key ranges: the one region label rule that PD writes by itself. */
const KEYSPACE_RULE = {
  id: 'keyspaces/0',
  index: 0,
  labels: [{ key: 'id', value: '0' }],
  rule_type: 'key-range',
  data: [
    { start_key: '7200000000000000fb', end_key: '7200000100000000fb' },
    { start_key: '7800000000000000fb', end_key: '7800000100000000fb' },
  ],
};

/** `GET /config/rules` */
export function rules(view: PdView): Answer {
  return json([defaultRule(view)]);
}

/** `GET /config/rules/group/{group}`: an unknown group is `null`, not an error. */
export function rulesOfGroup(view: PdView, group: string): Answer {
  return json(group === GROUP ? [defaultRule(view)] : null);
}

/** `GET /config/rule/{group}/{id}` */
export function rule(view: PdView, { group, id }: { readonly group: string; readonly id: string }): Answer {
  return group === GROUP && id === RULE ? json(defaultRule(view)) : RULE_NOT_FOUND;
}

/** `GET /config/rule_groups` */
export function ruleGroups(): Answer {
  return json([{ id: GROUP }]);
}

/** `GET /config/rule_group/{group}` */
export function ruleGroup(group: string): Answer {
  return group === GROUP ? json({ id: GROUP }) : RULE_NOT_FOUND;
}

/** `GET /config/placement-rule`: groups with their rules. */
export function placementGroups(view: PdView): Answer {
  return json([bundle(view, GROUP)]);
}

/** `GET /config/placement-rule/{group}`: an unknown group is an empty one. */
export function placementGroup(view: PdView, group: string): Answer {
  return json(bundle(view, group));
}

/** `GET /config/region-label/rules` */
export function regionLabelRules(): Answer {
  return json([KEYSPACE_RULE]);
}

/** `GET /config/rules/region/{id}` */
export function rulesOfRegion(view: PdView, id: string): Answer {
  return withRegion(view, id, () => json([defaultRule(view)]));
}

/** `GET /config/rules/region/{id}/detail`: which peers satisfy the rule, and which are too many. */
export function rulesOfRegionInDetail(view: PdView, id: string): Answer {
  return withRegion(view, id, ({ region }) => {
    const voters = region.peers.filter(({ role }) => role === 'Voter');
    const fit = voters.slice(0, maxReplicas(view.state));
    const orphans = region.peers.filter((peer) => !fit.includes(peer));
    return json({
      'rule-fits': [
        {
          rule: defaultRule(view),
          peers: fit.map(peerOf),
          'peers-different-role': null,
          'isolation-score': 0,
          'witness-score': 0,
        },
      ],
      'orphan-peers': orphans.length === 0 ? null : orphans.map(peerOf),
    });
  });
}

function withRegion(view: PdView, id: string, answer: (report: RegionReport) => Answer): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const report = view.regions.get(Number(id));
  return report === undefined ? json(`[PD:region:ErrRegionNotFound]region ${id} not found`, 404) : answer(report);
}

function defaultRule(view: PdView): object {
  const labels = String(settingsOf(view, 'replication')['location-labels']);
  const { ruleVersion } = view.state;
  return {
    group_id: GROUP,
    id: RULE,
    start_key: '',
    end_key: '',
    role: 'voter',
    is_witness: false,
    count: maxReplicas(view.state),
    ...(labels === '' ? {} : { location_labels: labels.split(',') }),
    ...(ruleVersion === 0 ? {} : { version: ruleVersion }),
  };
}

function bundle(view: PdView, group: string): object {
  const rules = group === GROUP ? [defaultRule(view)] : null;
  return { group_id: group, group_index: 0, group_override: false, rules };
}

function peerOf({ id, storeId, role }: Peer): object {
  return { id, store_id: storeId, ...(role === 'Learner' ? { role: 1 } : {}) };
}
