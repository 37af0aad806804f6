import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectLab } from '../../subjects/tikv/lab/labd/client.js';
import { RULES_VERSION } from '../../subjects/tikv/rules.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import { loadModels } from '../config/models.js';
import { MedicError } from '../domain/errors.js';
import type { BudgetPort } from '../domain/reservation.js';
import { ownSecrets } from '../evidence/own-secrets.js';
import type { EvidenceStore } from '../evidence/store.js';
import type { Reasoner } from '../reasoner/reasoner.js';
import { rulesSha } from '../reasoner/rules.js';
import { type ContentFiles, contentFiles } from '../runtime/content.js';
import { createLiveClaude, currentPrompt } from '../runtime/worker/claude.js';
import { tikvRules } from '../runtime/worker/reasoner.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { budgetOfHome } from './instance-budget.js';
import type { Session } from './session.js';

export interface ThinkingOptions {
  readonly reasoner: WorkerSettings['reasoner'];
  readonly home: string;
  readonly session: Session;
  readonly evidence: EvidenceStore;
  /** Other files than those that this package ships. */
  readonly files?: Partial<ContentFiles>;
  /** Stands between the thinking and the budget of the instance. */
  readonly guard?: (budget: BudgetPort) => BudgetPort;
  /** Thinks when no model can or may; default: the rules. */
  readonly otherwise?: Reasoner;
}

/** Who thinks recorded turns again, outside of any worker. */
export interface Thinking {
  readonly reasoner: Reasoner;
  /** Hash of the prompt or of the rules: a turn that was thought with it would be thought the same. */
  readonly promptSha: string;
  /** The model that is asked first; `null`: none is. */
  readonly model: string | null;
  /** Tries of one turn before it counts as failed. */
  readonly tries: number;
}

/** Rules, or Claude with the prompt of the moment, paid from the budget of the instance that runs on the home. */
export async function thinkingOf(options: ThinkingOptions): Promise<Thinking> {
  const { reasoner: asked, home, session, evidence, guard = (budget) => budget } = options;
  const rules = tikvRules();
  if (asked.kind !== 'claude') return { reasoner: rules, promptSha: rulesSha(RULES_VERSION), model: null, tries: 1 };
  const files = { ...contentFiles(), ...options.files };
  const shared = { files, subject: TIKV, hosts: hostsOf(home) };
  const [prompt, models] = await Promise.all([currentPrompt(shared), loadModels(files.modelsFile)]);
  const reasoner = createLiveClaude({
    ...shared,
    model: asked.model ?? null,
    rules: options.otherwise ?? rules,
    evidence,
    budget: guard(budgetOf(session, home)),
    secrets: ownSecrets(process.env),
    now: Date.now,
  });
  return { reasoner, promptSha: prompt.sha256, model: asked.model ?? models.use, tries: models.triesEach };
}

/** Paid calls are reserved with the running instance; without one only what is free can be told. */
function budgetOf({ client, why }: Session, home: string): BudgetPort {
  if (client === null) {
    const refuse = () =>
      Promise.reject(new MedicError('MEDIC_INSTANCE_NOT_RUNNING', `a paid call needs the budget of ${home}: ${why}`));
    return { reserve: refuse, settle: refuse };
  }
  return budgetOfHome(home, client).port;
}

/** Hosts are part of the prompt; the lab of this home has one. */
function hostsOf(home: string): string[] {
  const dir = [join(home, 'demo', 'lab'), join(home, 'lab')].find((path) => existsSync(path));
  return dir === undefined ? [] : [connectLab(resolve(dir)).topology().host];
}
