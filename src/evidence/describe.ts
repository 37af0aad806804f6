import type { Evidence } from '../domain/evidence.js';
import type { EvidenceId, Instant } from '../domain/ids.js';
import type { Call } from '../domain/query.js';
import { ends, oneLine } from './plain-text.js';
import type { Redacted } from './redact.js';
import { redact } from './redact.js';
import type { EvidenceStore } from './store.js';

/** What was asked and what came back, as it was received: nothing is redacted yet. */
export interface Observation {
  readonly id: EvidenceId;
  readonly at: Instant;
  readonly host: string;
  /** `null` for a picture of the subject. */
  readonly call: Call | null;
  /** Exit code or HTTP status; `null` when nothing answered. */
  readonly exit: number | null;
  readonly durationMs: number;
  readonly body: string;
  /** What a good answer says in one line, by the subject's word; absent: its first line stands for it. */
  readonly says?: string;
  readonly failure?: string;
}

export interface DescribeDeps {
  readonly store: EvidenceStore;
  /** Values to be masked wherever they turn up; see `ownSecrets`. */
  readonly known: readonly string[];
}

const MAX_LINE = 200;
const MAX_EXCERPT_BYTES = 1024;

/**
 * Turns an observation into the record that history carries. Everything is redacted first, the call included; the
 * whole body goes to the store, the record keeps its ends and one line about it.
 */
export async function describeEvidence(seen: Observation, { store, known }: DescribeDeps): Promise<Evidence> {
  const clean = (text: string) => redact(text, { known });
  const body = clean(seen.body);
  const failure = seen.failure === undefined ? null : clean(seen.failure);
  const says = seen.says === undefined ? undefined : clean(seen.says).text;
  const call = seen.call && cleanCall(seen.call, clean);
  return {
    id: seen.id,
    at: seen.at,
    host: seen.host,
    call: call?.call ?? null,
    exit: seen.exit,
    durationMs: seen.durationMs,
    line: oneLine(summary({ ...seen, body: body.text, says, failure: failure?.text }), MAX_LINE),
    ...ends(body.text, MAX_EXCERPT_BYTES),
    ...(await store.put(body.text)),
    redactions: body.redactions + (failure?.redactions ?? 0) + (call?.redactions ?? 0),
    // A picture is typed facts of our own clients; an answer is whatever the other side wrote.
    tainted: seen.call !== null,
    ...(failure && { failure: failure.text }),
  };
}

function cleanCall(call: Call, clean: (text: string) => Redacted): { call: Call; redactions: number } {
  if (call.kind === 'shell') {
    const command = clean(call.command);
    return { call: { ...call, command: command.text }, redactions: command.redactions };
  }
  const path = clean(call.path);
  const body = call.body === undefined ? null : clean(call.body);
  return {
    call: { ...call, path: path.text, ...(body && { body: body.text }) },
    redactions: path.redactions + (body?.redactions ?? 0),
  };
}

/** `tikv-2 exited 137, died`, `exit 1: no such node (+3 lines)`, `HTTP 503: no leader`, `no answer: connect ECONNREFUSED`. */
function summary({
  call,
  exit,
  body,
  says,
  failure,
}: Omit<Observation, 'failure'> & { failure: string | undefined }): string {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const said = lines[0]?.trim() ?? 'nothing was said';
  const more = lines.length > 1 ? ` (+${lines.length - 1} ${lines.length === 2 ? 'line' : 'lines'})` : '';
  if (call === null) return failure ? `no picture: ${failure}` : lines.join(' · ') || said;
  if (exit === null) return `no answer: ${failure ?? 'for no known reason'}`;
  if (says !== undefined && !failure) return says;
  const outcome = call.kind === 'shell' ? `exit ${exit}` : `HTTP ${exit}`;
  const trouble = failure ? ` (${failure})` : '';
  // The count of lines must survive the cut of a long first line.
  const room = MAX_LINE - outcome.length - trouble.length - more.length - 2;
  return `${outcome}${trouble}: ${oneLine(said, Math.max(room, 20))}${more}`;
}
