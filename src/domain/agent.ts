import type { Limits } from './limits.js';

/** An entry of the catalogue: who works on a ticket, within what scope and limits. */
export interface Agent {
  readonly name: string;
  /** Rises with every change of its runbook or scope. */
  readonly version: number;
  /** Hash of the whole file, for rulings and archives. */
  readonly sha256: string;
  /** The subject it knows. */
  readonly subject: string;
  /** Actions of the subject that it may propose. */
  readonly actions: readonly string[];
  readonly looks: AllowedLooks;
  readonly limits: Limits;
  /** Markdown: how it goes about it. */
  readonly runbook: string;
}

/** What it may read by: APIs of the inventory and programs on hosts. */
export interface AllowedLooks {
  readonly apis: readonly string[];
  readonly programs: readonly string[];
}
