import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import { loadAgent } from '../../src/config/agent.js';
import { loadPolicy } from '../../src/config/policy.js';
import type { Evidence } from '../../src/domain/evidence.js';
import type { EvidenceId } from '../../src/domain/ids.js';
import { createOverlayStore } from '../../src/evidence/overlay-store.js';
import type { EvidenceStore } from '../../src/evidence/store.js';
import { contentFiles } from '../../src/runtime/content.js';
import { packageRoot } from '../../src/runtime/package-root.js';
import { createAnswers } from '../../src/runtime/whatif/answers.js';
import { evidenceOf, type RecordedActivity, resultOf } from '../../src/runtime/whatif/facts.js';
import { play } from '../../src/runtime/whatif/play.js';
import { type Recording, readRecording } from '../../src/runtime/whatif/recording.js';
import { rejudge } from '../../src/runtime/whatif/rejudge.js';
import { replaceEvidence } from '../../src/runtime/whatif/replaced.js';
import type { Sandboxes } from '../../src/runtime/whatif/sandbox.js';
import { createThinker } from '../../src/runtime/whatif/thinker.js';
import { tikvRules } from '../../src/runtime/worker/reasoner.js';
import { AT, died, fact, healthy, pdStore, REFUSED, secondsAgo, withStore } from '../subjects/tikv/pictures.js';

const NAME = 'worker-killed-while-investigating.json';

/** A record that holds everything: a store was killed, the rules thought, and what they saw is kept. */
export interface KilledRecord {
  /** JSON text. */
  readonly history: string;
  readonly workflowId: string;
  readonly source: string;
  readonly bodies: ReadonlyMap<string, string>;
}

/**
 * A committed history with bodies for its evidence, and with the thoughts and the ruling that the present code has about
 * them: histories are committed without bodies.
 */
export async function killedRecord(sandboxes: Sandboxes): Promise<KilledRecord> {
  const text = readFileSync(join(packageRoot(), 'tests', 'histories', NAME), 'utf8');
  const workflowId = 'ticket/tikv/1';
  const recording = readRecording({ history: text, workflowId, source: NAME });
  const bodies = new Map<string, string>();
  const below = createOverlayStore({});
  const evidence = {
    ...below,
    put: async (body: string | Uint8Array) => {
      const stored = await below.put(body);
      bodies.set(stored.sha256, String(body));
      return stored;
    },
  };
  // What did not answer has an empty body.
  await evidence.put('');
  const replies = await repliesOf(recording, { evidence, sandboxes });
  return { history: withResults(text, replies), workflowId, source: 'tikv/1', bodies };
}

/** Results by the id of the event that asked for them. */
async function repliesOf(
  recording: Recording,
  { evidence, sandboxes }: { readonly evidence: EvidenceStore; readonly sandboxes: Sandboxes },
) {
  const { facts, script, input } = recording;
  const { times } = input;
  const seen = new Map(facts.flatMap((fact) => bodyFor(fact)));
  const ticket = input.filing.id;
  const replaced = await replaceEvidence({
    facts,
    bodies: seen,
    ticket,
    times,
    run: script.runId,
    evidence,
    secrets: [],
  });
  const files = contentFiles();
  const [{ policy }, agent] = await Promise.all([loadPolicy(files.policyFile), loadAgent(files.agentFile)]);
  const replies = new Map<number, unknown>();
  const answers = createAnswers({
    facts: facts.map((fact) => (fact.name === 'judge' ? { ...fact, outcome: null } : fact)),
    replaced,
    evidence,
    times,
    thinker: createThinker({ stands: () => false, reasoner: tikvRules(), tries: 1, evidence, run: 'made' }),
    rule: {
      when: 'always',
      judge: (ask) =>
        rejudge({ ...ask, recorded: null }, { policy, agent, runs: async () => ({ acts: [], missing: [] }) }),
    },
    note: () => {},
  });
  const sandbox = await sandboxes.open({ workflowType: 'ticket', ...script });
  try {
    await play({
      script,
      sandbox,
      turn: 1,
      answer: null,
      tell: () => {},
      answers: {
        before: answers.before,
        reply: async (asked) => {
          const reply = await answers.reply(asked);
          if (reply.kind === 'missing') throw new Error(`${asked.name}: ${reply.what}`);
          if (reply.divergence) throw new Error(JSON.stringify(reply.divergence));
          const outcome = { ...reply.resolution, of: 0 } as RecordedActivity['outcome'];
          if (asked.recorded && reply.resolution.kind === 'completed')
            replies.set(asked.recorded.of, resultOf({ outcome }) ?? null);
          return reply;
        },
      },
    });
  } finally {
    await sandbox.close();
  }
  return replies;
}

function withResults(text: string, replies: ReadonlyMap<number, unknown>): string {
  const history = JSON.parse(text);
  for (const event of history.events) {
    const completed = event.activityTaskCompletedEventAttributes;
    const value = completed && replies.get(Number(completed.scheduledEventId));
    if (value === undefined || value === null) continue;
    const { data } = defaultPayloadConverter.toPayload(value);
    completed.result.payloads[0].data = Buffer.from(data ?? []).toString('base64');
  }
  return JSON.stringify(history);
}

/** tikv-0 is dead, PD knows it, and nothing else is wrong. */
export const dead = () =>
  withStore(healthy(), 'tikv-0', {
    reach: REFUSED,
    clientPort: fact({ kind: 'refused' as const }),
    witness: died(),
    pd: pdStore('6', { state: 'Disconnected', lastHeartbeat: secondsAgo(4), leaders: 0 }),
  });

/** The picture as if it were taken at that time. */
export function takenAt(picture: object, at: number): string {
  const shift = at - Date.parse(AT);
  return JSON.stringify(picture).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    new Date(Date.parse(time) + shift).toISOString(),
  );
}

function bodyFor(activity: RecordedActivity): (readonly [EvidenceId, string])[] {
  const id = evidenceOf(activity);
  if (id === null) return [];
  if (activity.name === 'lookAtPicture') return [[id, takenAt(dead(), activity.askedAt)]];
  const { call } = resultOf<Evidence>(activity) ?? { call: null };
  if (call?.kind !== 'shell') return call?.kind === 'http' && call.api === 'pd' ? [[id, '{}']] : [];
  const witness = dead().vitals.stores[0]?.witness;
  const isInspect = call.command.startsWith('labctl inspect');
  const body = isInspect && witness?.known ? JSON.stringify({ name: 'tikv-0', ...witness.value }) : '[INFO] ["tick"]\n';
  return [[id, body]];
}
