import Anthropic from '@anthropic-ai/sdk';
import type { Subject } from '../../../subjects/protocol.js';
import { loadAgent } from '../../config/agent.js';
import { loadModels, type Models } from '../../config/models.js';
import { loadPrompt } from '../../config/prompt.js';
import type { Agent } from '../../domain/agent.js';
import type { BudgetPort } from '../../domain/reservation.js';
import { redact } from '../../evidence/redact.js';
import type { EvidenceStore } from '../../evidence/store.js';
import { createChain, type Rest } from '../../reasoner/chain.js';
import type { Catalogue } from '../../reasoner/claude/catalogue.js';
import { createClaude } from '../../reasoner/claude/claude.js';
import { type Prompt, promptOf } from '../../reasoner/claude/prompt.js';
import { createSettling } from '../../reasoner/claude/settling.js';
import type { Reasoner } from '../../reasoner/reasoner.js';
import type { ContentFiles } from '../content.js';

export interface LiveClaudeDeps {
  /** Asked instead of the model that the file names; `null`: that one. */
  readonly model: string | null;
  readonly files: Pick<ContentFiles, 'modelsFile' | 'systemPromptFile' | 'agentFile'>;
  readonly subject: Pick<Subject<never>, 'name' | 'causes' | 'actions' | 'promptContext'>;
  readonly hosts: readonly string[];
  readonly rules: Reasoner;
  readonly evidence: EvidenceStore;
  readonly budget: BudgetPort;
  /** Values masked wherever they turn up. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

/**
 * Claude with the configuration of the moment: models, prices, prompts and the agent are read anew for each thought, so
 * a change is in force from the next one on. The key and the address of the API come from ANTHROPIC_API_KEY and
 * ANTHROPIC_BASE_URL.
 */
export function createLiveClaude(deps: LiveClaudeDeps): Reasoner {
  const resting = new Map<string, Rest>();
  const settle = createSettling(deps.budget);
  return {
    name: 'claude',
    async reason(digest, tools) {
      const [models, prompt] = await Promise.all([loadModels(deps.files.modelsFile), currentPrompt(deps)]);
      const client = new Anthropic({ maxRetries: 0, timeout: models.callTimeoutMs });
      const claude = (model: string) =>
        createClaude({
          ...models,
          client,
          model,
          prompt,
          settle,
          reserve: deps.budget.reserve,
          evidence: deps.evidence,
          redact: (text) => redact(text, { known: deps.secrets }).text,
          now: deps.now,
        });
      const chain = createChain({
        models: modelsInTurn(models, deps.model).map(claude),
        rules: deps.rules,
        triesEach: models.triesEach,
        resting,
        now: deps.now,
      });
      return chain.reason(digest, tools);
    },
  };
}

function modelsInTurn({ use, fallback }: Models, asked: string | null): string[] {
  const all = [asked ?? use, ...(fallback === null ? [] : [fallback])];
  return [...new Set(all)];
}

/** The prompt as it stands in the files now. */
export async function currentPrompt(deps: Pick<LiveClaudeDeps, 'files' | 'subject' | 'hosts'>): Promise<Prompt> {
  const [system, agent] = await Promise.all([loadPrompt(deps.files.systemPromptFile), loadAgent(deps.files.agentFile)]);
  return promptOf({ system, agent, catalogue: catalogueOf(deps, agent) });
}

function catalogueOf({ subject, hosts }: Pick<LiveClaudeDeps, 'subject' | 'hosts'>, agent: Agent): Catalogue {
  return {
    causes: subject.causes.map(({ class: name, title }) => ({ class: name, title })),
    actions: subject.actions
      .filter(({ name }) => agent.actions.includes(name))
      .map(({ name, cures }) => ({ name, cures })),
    hosts,
    apis: agent.looks.apis,
    programs: agent.looks.programs,
    context: subject.promptContext,
  };
}
