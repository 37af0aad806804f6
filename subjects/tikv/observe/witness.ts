import { z } from 'zod';
import { instant } from '../../../src/domain/ids.js';
import { gap, known, type Reading, type Seen } from '../../../src/domain/reading.js';
import type { Witness } from '../picture.js';
import { WITNESS_COMMAND } from '../services.js';
import { parseAs } from './pd-readings.js';

/** Runs a read-only command on the host. Never throws: a host that does not answer is `failure`. */
export type RunOnHost = (
  command: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
) => Promise<HostAnswer>;

export interface HostAnswer {
  /** `null`: it did not end by itself, or never ran; `failure` says why. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: string;
}

/** The host's word on one node. */
export type WitnessOf = (node: string) => Reading<Witness>;

const time = z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text)));

const nodeSchema = z.object({
  name: z.string(),
  state: z.enum(['running', 'paused', 'exited']),
  stoppedByRequest: z.boolean(),
  pid: z.number().nullable(),
  startedAt: time,
  finishedAt: time.nullable(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  starts: z.number(),
  hasData: z.boolean().optional(),
});

export interface WitnessLook {
  readonly runOnHost: RunOnHost;
  readonly host: string;
  readonly clock: () => number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Asks the host about all its nodes at once. */
export async function lookAtHost({ runOnHost, host, clock, timeoutMs, signal }: WitnessLook): Promise<WitnessOf> {
  const answer = await runOnHost(WITNESS_COMMAND, { timeoutMs, signal });
  const seen = { at: instant(clock()), source: `${host} ${WITNESS_COMMAND}` };
  if (answer.exitCode !== 0) return () => gap(answer.failure ?? failureOf(answer), seen);
  const parsed = parseAs(z.array(nodeSchema), answer.stdout);
  if (!parsed.ok) return () => gap(parsed.why, seen);
  return (name) => witnessOf(parsed.value, name, seen);
}

function witnessOf(nodes: readonly z.infer<typeof nodeSchema>[], name: string, seen: Seen): Reading<Witness> {
  const node = nodes.find((one) => one.name === name);
  if (!node) return gap(`the host knows no node ${name}`, seen);
  const { name: _, ...witness } = node;
  return known(witness, seen);
}

function failureOf({ exitCode, stderr }: HostAnswer): string {
  return `exit ${exitCode}: ${stderr.trim().slice(0, 120)}`;
}
