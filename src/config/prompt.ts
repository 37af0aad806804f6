import { basename } from 'node:path';
import * as z from 'zod';
import type { PromptFile } from '../reasoner/claude/prompt.js';
import { splitFrontMatter } from './front-matter.js';
import { parseYaml, readConfigText } from './yaml-file.js';

const Head = z.strictObject({ name: z.string().min(1), version: z.int().min(1) }).describe('a prompt');

/** Loads `agents/prompts/<name>.md`. Throws `MEDIC_CONFIG_*` with file, line and column. */
export async function loadPrompt(path: string): Promise<PromptFile> {
  const { text } = await readConfigText(path);
  const { head, body } = splitFrontMatter(path, text);
  const name = basename(path, '.md');
  const named = Head.refine((read) => read.name === name, {
    path: ['name'],
    error: `must be \`${name}\`, as the file is named`,
  });
  return { ...parseYaml({ path, text: head, firstLine: 2 }, named), text: body.trim() };
}
