import { type Answer, json } from '../answers/answer.js';
import { DEFAULT_RULE } from '../answers/rules.js';
import type { StoreMeta } from '../model.js';
import type { Ask, Outcome } from '../route.js';
import type { PdView } from '../view.js';
import { type JsonObject, readObject } from './body.js';

const ROLES = ['voter', 'leader', 'follower', 'learner'];

/** This stand-in has the default rule only. PD would take a second one, or this one with another content. */
const CANNOT_WRITE = json('this stand-in of PD keeps the default placement rule only', 501);

/** `POST /config/rule`: PD's complaints about a rule; a good one is not taken. */
export function setRule(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const fault = ruleFault(view, read.value);
  return fault === null ? CANNOT_WRITE : json(`[PD:placement:ErrRuleContent]invalid rule content, ${fault}`, 400);
}

/** `DELETE /config/rule/{group}/{id}`: a rule that is not there counts as deleted; the last one must stay. */
export function removeRule({ group, id }: { readonly group: string; readonly id: string }): Answer {
  if (group === DEFAULT_RULE.group && id === DEFAULT_RULE.id) {
    return json('[PD:placement:ErrBuildRuleList]build rule list failed, no rule left', 500);
  }
  return json('Delete rule successfully.');
}

/** PD: `RuleManager.AdjustRule`. */
function ruleFault(view: PdView, rule: JsonObject): string | null {
  const { group_id: group, id, role, count } = rule;
  if (group === undefined || group === '') return 'group ID should not be empty';
  if (id === undefined || id === '') return 'ID should not be empty';
  if (typeof role !== 'string' || !ROLES.includes(role)) return `invalid role ${role}`;
  if (typeof count !== 'number' || count <= 0) return `invalid count ${count}`;
  const stores = Object.values(view.state.stores);
  if (stores.some((store) => constraintsOf(rule).every((constraint) => matches(store, constraint)))) return null;
  return `rule '${id}' from rule group '${group}' can not match any store`;
}

interface Constraint {
  readonly key?: string;
  readonly op?: string;
  readonly values?: readonly string[];
}

function constraintsOf({ label_constraints: constraints }: JsonObject): readonly Constraint[] {
  return Array.isArray(constraints) ? (constraints as readonly Constraint[]) : [];
}

function matches(store: StoreMeta, { key, op, values = [] }: Constraint): boolean {
  const value = store.labels.find((label) => label.key === key)?.value;
  switch (op) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notIn':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
