import type { Target } from '../domain/ids.js';
import type { HttpCall } from '../domain/query.js';

/** What a command may touch, as its row declares it. */
export interface Influence {
  /** Everything it acts on; must lie within the target of the proposal's cause. */
  readonly touches: readonly Target[];
  /** Members that stop serving because of it, for the quorum kernel. */
  readonly takesAway: readonly Target[];
  /** No row says what it touches: the two lists are then not the whole story. */
  readonly unknown?: true;
}

/**
 * What adds, moves or restarts capacity is a wrong answer to a trouble that only looks like a lack of it, so such a step
 * needs its upstream causes refuted first. `always`: it scales, or moves replicas or leaders. `when-healthy`: it stops or
 * restarts, which is a repair of what is broken and a guess for what is not.
 */
export type Capacity = 'always' | 'when-healthy';

/** A program or a call without a row: a mutation of unknown reach, never a read. */
export const UNKNOWN_MUTATION: CommandClass = {
  kind: 'mutate',
  influence: { touches: [], takesAway: [], unknown: true },
  reversible: false,
  restorative: false,
  capacity: 'when-healthy',
};

export type CommandClass =
  | { readonly kind: 'read' }
  | {
      readonly kind: 'mutate';
      readonly influence: Influence;
      readonly reversible: boolean;
      /** Takes nothing away (starts what is dead, resumes what is frozen). */
      readonly restorative: boolean;
      /** Absent: it has nothing to do with capacity. */
      readonly capacity?: Capacity;
    }
  | { readonly kind: 'self'; readonly reason: string }
  | { readonly kind: 'forbidden'; readonly reason: string };

/**
 * One argv that would run, flattened out of a command line; the program is `words[0]` without its folder. No words: a
 * redirection or an assignment without a command.
 */
export interface Argv {
  readonly words: readonly Word[];
  /** Redirections to files: `> f`, `>> f`, `< f`. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** A word after unquoting. `dynamic`: an expansion decides it at run time. `multi`: a glob or word splitting may make it several, or none. */
export interface Word {
  readonly text: string;
  readonly dynamic: boolean;
  readonly multi: boolean;
}

/**
 * Classifies one program. The first row that answers wins; a program without a row counts as a mutation of unknown
 * reach, never as a read.
 */
export interface CommandRow {
  readonly program: string;
  /** `null`: this row does not know these arguments. */
  classify(argv: Argv): CommandClass | null;
}

/** Classifies HTTP calls by method and path, whatever program sends them. */
export interface HttpRow {
  readonly api: string;
  readonly method: HttpCall['method'];
  /** Matched against the path without its query. */
  readonly path: RegExp;
  classify(call: HttpCall): CommandClass;
}
