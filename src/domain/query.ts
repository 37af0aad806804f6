import { canonical } from './canonical.js';

/** A shell command on a host, through its transport. */
export interface ShellCall {
  readonly kind: 'shell';
  readonly host: string;
  readonly command: string;
}

/** An HTTP call by our own client; the endpoint comes from the inventory, never from the reasoner. */
export interface HttpCall {
  readonly kind: 'http';
  /** An API of the subject's inventory: `pd`, `tikv-status`. */
  readonly api: string;
  /** Which member to ask; absent = any member of the API that answers. */
  readonly node?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly body?: string;
}

/** What a look asks and what a step runs: one union, so that both are parsed, ruled on and recorded alike. */
export type Call = ShellCall | HttpCall;

/** The exact bytes of a call, for hashes, for the journal and for telling a repeat. */
export const callBytes = (call: Call): string => canonical(call);

/** One line for a person: `lab$ labctl inspect tikv-2`, `pd GET /pd/api/v1/stores`. */
export function describeCall(call: Call): string {
  if (call.kind === 'shell') return `${call.host}$ ${call.command}`;
  const where = call.node ? `${call.api} ${call.node}` : call.api;
  return `${where} ${call.method} ${call.path}`;
}
