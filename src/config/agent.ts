import { basename } from 'node:path';
import * as z from 'zod';
import type { Agent } from '../domain/agent.js';
import { Duration } from './duration.js';
import { splitFrontMatter } from './front-matter.js';
import { parseYaml, readConfigText } from './yaml-file.js';

const Limit = z.int().min(0);

const Head = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]*$/, { error: 'must be a name in lower case with hyphens' }),
    version: z.int().min(1),
    subject: z.string().min(1),
    actions: z.array(z.string().min(1)),
    looks: z
      .strictObject({ apis: z.array(z.string().min(1)), programs: z.array(z.string().min(1)) })
      .describe('what an agent may look at'),
    limits: z
      .strictObject({
        turns: Limit.min(1),
        looks: Limit,
        acts: Limit,
        tokens: Limit,
        usd: z.number().min(0),
        wall: Duration,
      })
      .describe('the limits of an agent'),
  })
  .describe('an agent');

/**
 * Loads `agents/<name>.md`: scope and limits in front matter between two lines `---`, the runbook below. The head is
 * data; nothing in it can run. Throws `MEDIC_CONFIG_*` with file, line and column.
 */
export async function loadAgent(path: string): Promise<Agent> {
  const { text, sha256 } = await readConfigText(path);
  const { head, body } = splitFrontMatter(path, text);
  const { limits, ...scope } = parseYaml({ path, text: head, firstLine: 2 }, namedAs(basename(path, '.md')));
  const { wall, ...counted } = limits;
  return { ...scope, limits: { ...counted, wallMs: wall }, sha256, runbook: body.trim() };
}

/** Agents are found by file name, so another name inside would make rulings and screens disagree. */
const namedAs = (name: string) =>
  Head.refine((head) => head.name === name, { path: ['name'], error: `must be \`${name}\`, as the file is named` });
