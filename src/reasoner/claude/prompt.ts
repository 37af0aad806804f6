import { createHash } from 'node:crypto';
import type { TextBlockParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { Agent } from '../../domain/agent.js';
import type { Catalogue } from './catalogue.js';
import { createToolbox, type Toolbox } from './tools.js';

/** A prompt that lives in a file of its own, with a version that rises with every change. */
export interface PromptFile {
  readonly name: string;
  readonly version: number;
  readonly text: string;
}

/** The part of every request that stays the same from call to call, so that it is cached. */
export interface Prompt {
  readonly toolbox: Toolbox;
  readonly tools: readonly Tool[];
  readonly system: readonly TextBlockParam[];
  /** Canonical text of tools and system; its hash names the prompt in histories. */
  readonly text: string;
  readonly sha256: string;
  /** `system@1 on-call-triage@2` */
  readonly version: string;
}

/** Tools first, then the system text, the agent's runbook and the subject, from what changes least to what changes most. */
export function promptOf({
  system,
  agent,
  catalogue,
}: {
  readonly system: PromptFile;
  readonly agent: Agent;
  readonly catalogue: Catalogue;
}): Prompt {
  const toolbox = createToolbox(catalogue);
  const parts = [system.text, `# The system under care\n\n${catalogue.context}\n\n${lists(catalogue)}`, agent.runbook];
  const text = JSON.stringify({ tools: toolbox.definitions, system: parts }, null, 1);
  return {
    toolbox,
    tools: toolbox.definitions,
    system: parts.map(
      (part, i): TextBlockParam => ({
        type: 'text',
        text: part,
        ...(i === parts.length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
      }),
    ),
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    version: `${system.name}@${system.version} ${agent.name}@${agent.version}`,
  };
}

function lists({ causes, actions, hosts, apis, programs }: Catalogue): string {
  return [
    'Causes (`class`), each with a `target`:',
    ...causes.map((cause) => `- ${cause.class}: ${cause.title}`),
    '- other: none of these; it can be told to a person, never proposed for',
    '',
    'Actions of the catalogue that you may propose:',
    ...actions.map(({ name, cures }) => `- ${name}: cures ${cures.join(', ')}`),
    '',
    `Hosts: ${hosts.join(', ')}. Programs to look with: ${programs.join(', ')}. APIs: ${apis.join(', ')}.`,
  ].join('\n');
}
