import type { Answer } from './answers/answer.js';
import type { PauseOrder } from './pauses.js';
import type { OperatorOrder } from './schedule/hand.js';
import type { Command } from './state.js';
import type { PdView } from './view.js';

/**
 * Who answers: `own` any member by itself; `leader` the leader, to which followers forward; `config` any member, with
 * the leader's help.
 */
export type Scope = 'own' | 'leader' | 'config';

/**
 * What must be known or done before the answer: `pings` of all members, a linearizable `read` of the group's state, a
 * Raft `leader` and a read (etcd's own health), a `transfer` of the leadership. `cluster` answers only once a store
 * joined, and only on the leader.
 */
export type Need = 'nothing' | 'pings' | 'read' | 'raft-health' | 'raft-read' | 'transfer' | 'cluster';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One request as the routes see it. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** `''` for a request without one. */
  readonly body: string;
}

/** What a request changes, and what it is told when that went through. */
export interface Change {
  /** For the group's log, in this order. */
  readonly commands: readonly Command[];
  /** For the leader's memory. */
  readonly pauses?: readonly PauseOrder[];
  /** Regions that the leader forgets until their own leaders report again. */
  readonly forgottenRegions?: readonly number[];
  /** For the leader's memory. */
  readonly operators?: readonly OperatorOrder[];
  /** PD's own words if an operator cannot be, or if the group does not take a command. */
  readonly refusedAnswer?: Answer;
  readonly answer: Answer;
  /** The status of the complaint when the group does not take a command; PD has 500 nearly everywhere. */
  readonly lostStatus?: number;
}

export type Outcome = Answer | Change;

export interface Route {
  readonly method: Method;
  readonly path: RegExp;
  readonly scope: Scope;
  readonly need: Need;
  /** Takes the parts that `path` caught. Pure: a change is only described. */
  readonly answer: (view: PdView, ask: Ask, caught: readonly string[]) => Outcome;
}

export const V1 = '/pd/api/v1';
export const V2 = '/pd/api/v2';

export function isChange(outcome: Outcome): outcome is Change {
  return 'commands' in outcome;
}

/** A read that any member answers by itself. */
export function own(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'own', need: 'nothing', answer };
}

/** A read that the leader answers, with or without stores. */
export function onLeader(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'leader', need: 'nothing', answer };
}

/** A read that the leader answers once a store joined. */
export function ofCluster(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path: exactly(path), scope: 'leader', need: 'cluster', answer };
}

/** A change that the leader makes, with or without stores. */
export function changeOnLeader(method: 'POST' | 'DELETE', path: string, answer: Route['answer']): Route {
  return { method, path: exactly(path), scope: 'leader', need: 'nothing', answer };
}

/** A change that the leader makes once a store joined. */
export function changeOfCluster(method: 'POST' | 'DELETE', path: string, answer: Route['answer']): Route {
  return { method, path: exactly(path), scope: 'leader', need: 'cluster', answer };
}

function exactly(path: string): RegExp {
  return new RegExp(`^${path}$`);
}
