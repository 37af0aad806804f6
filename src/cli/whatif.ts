import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Decision } from '../../workflows/contract.js';
import { loadAgent } from '../config/agent.js';
import { loadPolicy } from '../config/policy.js';
import { MedicError } from '../domain/errors.js';
import type { EvidenceId } from '../domain/ids.js';
import { createArchive } from '../evidence/archive.js';
import { createOverlayStore } from '../evidence/overlay-store.js';
import { ownSecrets } from '../evidence/own-secrets.js';
import { contentFiles } from '../runtime/content.js';
import { workflowBundlePath } from '../runtime/replay.js';
import { knownRuns } from '../runtime/whatif/known-runs.js';
import { type Recording, readRecording, thinkerOf } from '../runtime/whatif/recording.js';
import { rejudge } from '../runtime/whatif/rejudge.js';
import { createSandboxes } from '../runtime/whatif/sandbox.js';
import { type WhatIf, type WhatIfOptions, whatIf } from '../runtime/whatif/what-if.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { EXIT } from './exit-codes.js';
import { once } from './once.js';
import { checkReasoner } from './reasoner.js';
import { placeOf, recordOf, type TicketRecord } from './record.js';
import { printJson, type Screen } from './screen.js';
import { type Session, withSession } from './session.js';
import { thinkingOf } from './thinking.js';
import { printWhatIf } from './whatif-screen.js';

export interface WhatIfVerbOptions {
  readonly home: string;
  readonly at: number;
  readonly set: readonly Replacement[];
  readonly answer: Decision['answer'] | null;
  /** Default: as recorded, and where that ends the rules, if it was they who thought. */
  readonly reasoner?: WorkerSettings['reasoner'];
  readonly policy?: string;
  readonly json?: boolean;
}

/** `e12=FILE` */
export interface Replacement {
  readonly evidence: EvidenceId;
  readonly file: string;
}

/**
 * `medic whatif ID|FILE --at TURN`: runs a recorded ticket on from a turn in another way and tells where it parts from what was
 * recorded. Exit 3 when it does. Nothing is asked of the subject and nothing is run on it.
 */
export async function whatIfVerb(what: string, options: WhatIfVerbOptions, screen: Screen): Promise<number> {
  if (options.reasoner) await checkReasoner(options.reasoner, process.env);
  const sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  try {
    const { answer, source } = await withSession(placeOf(what, options, screen), async (session) => {
      const record = await recordOf(what, session, options.home);
      const inputs = await inputsOf(record, options, session);
      return { answer: await whatIf({ ...inputs, sandboxes }), source: record.source };
    });
    if (options.json) printJson(screen, 'whatif', answer);
    else printWhatIf(screen, { ...answer, source, at: options.at });
    return hasParted(answer) ? EXIT.findings : EXIT.ok;
  } finally {
    await sandboxes.close();
  }
}

const hasParted = ({ divergence, end }: WhatIf): boolean => divergence !== null || end === 'stopped';

async function inputsOf(
  record: TicketRecord,
  options: WhatIfVerbOptions,
  session: Session,
): Promise<Omit<WhatIfOptions, 'sandboxes'>> {
  const recording = readRecording(record);
  const evidence = createOverlayStore({ below: record.evidence });
  return {
    recording,
    trail: record.trail,
    evidence,
    turn: options.at,
    answer: options.answer,
    bodies: await bodiesOf(options.set),
    thinking: await thinkingFor(recording, { options, session, evidence }),
    rule: await ruleOf({ recording, isFile: record.isFile }, options),
    secrets: ownSecrets(process.env),
    run: `whatif-${randomUUID()}`,
  };
}

async function bodiesOf(replacements: readonly Replacement[]): Promise<Map<EvidenceId, string>> {
  const read = replacements.map(async ({ evidence, file }) => [evidence, await bodyOf(evidence, file)] as const);
  return new Map(await Promise.all(read));
}

const bodyOf = (evidence: EvidenceId, file: string): Promise<string> =>
  readFile(file, 'utf8').catch((failure: Error) => {
    throw new MedicError('MEDIC_WHATIF_EVIDENCE', `the new body of ${evidence}: ${failure.message}`);
  });

interface ThinkingFor {
  readonly options: WhatIfVerbOptions;
  readonly session: Session;
  readonly evidence: WhatIfOptions['evidence'];
}

/** Nothing is paid for without being asked: where the record was thought by a model, only `--reasoner` goes beyond it. */
async function thinkingFor(
  recording: Recording,
  { options: { home, reasoner: asked }, session, evidence }: ThinkingFor,
): Promise<WhatIfOptions['thinking']> {
  if (!asked) {
    const { reasoner } = await thinkingOf({ reasoner: { kind: 'rules' }, home, session, evidence });
    return { stands: () => true, reasoner: thinkerOf(recording) === 'rules' ? reasoner : null, tries: 1 };
  }
  const { reasoner, promptSha, model, tries } = await thinkingOf({ reasoner: asked, home, session, evidence });
  const stands: WhatIfOptions['thinking']['stands'] = (thought) =>
    asked.kind === 'claude' && thought.promptSha === promptSha && thought.model === model;
  return { stands, reasoner, tries };
}

interface Ruled {
  readonly recording: Recording;
  readonly isFile: boolean;
}

/** Rates are counted over the archive of the home; a file may be of another instance and stands alone. */
async function ruleOf(
  { recording, isFile }: Ruled,
  { policy: file, home }: WhatIfVerbOptions,
): Promise<WhatIfOptions['rule']> {
  const files = contentFiles();
  const [{ policy }, agent] = await Promise.all([loadPolicy(file ?? files.policyFile), loadAgent(files.agentFile)]);
  const archive = isFile ? null : createArchive({ home: resolve(home) });
  const runs = once(async () => (await knownRuns({ archive, own: [recording] }))(recording.input.filing.id));
  return {
    when: file === undefined ? 'unrecorded' : 'always',
    judge: (ask) => rejudge(ask, { policy, agent, runs }),
  };
}
