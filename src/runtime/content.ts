import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** Absolute paths of the versioned content that this package ships: who works, who thinks, what may run and what it may cost. */
export interface ContentFiles {
  readonly policyFile: string;
  readonly budgetFile: string;
  readonly agentFile: string;
  readonly modelsFile: string;
  readonly systemPromptFile: string;
}

export function contentFiles(): ContentFiles {
  const file = (...parts: string[]) => join(packageRoot(), ...parts);
  return {
    policyFile: file('policies', 'lab.yaml'),
    budgetFile: file('policies', 'budget.yaml'),
    agentFile: file('agents', 'on-call-triage.md'),
    modelsFile: file('agents', 'models.yaml'),
    systemPromptFile: file('agents', 'prompts', 'system.md'),
  };
}
