import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { IntakePlace } from '../../config/intake.js';
import { Subjects } from '../../config/subject.js';

const Waits = z.strictObject({
  remindMs: z.number().positive(),
  expireMs: z.number().positive(),
  gateRetryMs: z.number().positive(),
  gateGiveUpMs: z.number().positive(),
});

const Settings = z.strictObject({
  /** Absolute. Holds evidence, archive and journal. */
  home: z.string(),
  /** Absolute. Beside the database of this run: what is true of these workflows only. */
  stateDir: z.string(),
  address: z.string(),
  namespace: z.string(),
  taskQueue: z.string(),
  /** `null`: no lab is cared for. */
  labDir: z.string().nullable(),
  /** Clusters that Medic did not make; with where their secrets are, never with them. */
  subjects: Subjects,
  /** Where alerts are taken; `null`: nowhere. As medic.yaml said at the start: a mistake in it later stops no worker. */
  intake: IntakePlace.nullable(),
  profile: z.enum(['real', 'fast']),
  reasoner: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('rules') }),
    z.strictObject({ kind: z.literal('claude'), model: z.string().optional() }),
    z.strictObject({ kind: z.literal('recorded'), ticket: z.string() }),
  ]),
  policyFile: z.string(),
  agentFile: z.string(),
  modelsFile: z.string(),
  systemPromptFile: z.string(),
  budgetFile: z.string(),
  /** Absolute; `null`: there is no medic.yaml. */
  configFile: z.string().nullable(),
  metricsPort: z.number().int().positive(),
  /** Files and folders that belong to Medic itself and that no command may touch. */
  ownPaths: z.array(z.string()),
  waits: Waits,
});

/** What a worker process is told at its start, by a file that its parent writes. */
export type WorkerSettings = z.infer<typeof Settings>;

/** People may take half an hour to answer; a frozen subject is asked again every other second. */
export const DEFAULT_WAITS: WorkerSettings['waits'] = {
  remindMs: 10 * 60_000,
  expireMs: 30 * 60_000,
  gateRetryMs: 2_000,
  gateGiveUpMs: 10 * 60_000,
};

/** Reads the settings file. A wrong one is a bug of the parent, so the schema's own words will do. */
export const readWorkerSettings = (file: string): WorkerSettings =>
  Settings.parse(JSON.parse(readFileSync(file, 'utf8')));
