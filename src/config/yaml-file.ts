import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { MedicError } from '../domain/errors.js';
import { isSecretName } from '../evidence/own-secrets.js';
import { oneLine } from '../evidence/plain-text.js';
import { closest } from './closest.js';
import type { Complaint } from './complaint.js';
import { refuse } from './complaint.js';
import type { Mapping } from './phrase.js';
import { phrase } from './phrase.js';
import type { YamlSource, YamlText } from './yaml-source.js';
import { dotted, parseYamlSource } from './yaml-source.js';

/** A file's text and the hash of its bytes, by which rulings and archives name the version that was used. */
export interface ConfigText {
  readonly text: string;
  readonly sha256: string;
}

/** Throws `MEDIC_CONFIG_UNREADABLE`. */
export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    const bytes = await readFile(path);
    return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (failure) {
    throw new MedicError('MEDIC_CONFIG_UNREADABLE', `${path}  ${(failure as Error).message}`);
  }
}

/**
 * Parses and checks a YAML text. Give mappings as `z.strictObject(...).describe('a policy')`: the description is how
 * errors name them. Messages of own checks complete the sentence "`key` ...": `must be a duration like \`1h\``.
 *
 * Throws `MEDIC_CONFIG_SYNTAX`, `MEDIC_CONFIG_UNKNOWN_KEY` or `MEDIC_CONFIG_INVALID`, each complaint with its line and
 * column; the code is that of the first.
 */
export function parseYaml<S extends z.ZodType>(text: YamlText, schema: S): z.output<S> {
  const source = parseYamlSource(text);
  const mappings = new Map<string, Mapping>();
  const result = schema.safeParse(source.value, { reportInput: true, error: (issue) => phrase(issue, mappings) });
  if (result.success) return result.data;
  throw refuse(text.path, complaintsOf(result.error.issues, source, mappings));
}

function complaintsOf(
  issues: readonly z.core.$ZodIssue[],
  source: YamlSource,
  mappings: Map<string, Mapping>,
): Complaint[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownKeys(issue, source, mappings.get(dotted(issue.path))) : [],
  );
  const meant = new Set(unknown.map(({ meant }) => meant));
  const wrong = issues
    .filter((issue) => issue.code !== 'unrecognized_keys' && !meant.has(dotted(issue.path)))
    .map((issue) => wrongValue(issue, source));
  return [...unknown.map(({ complaint }) => complaint), ...wrong];
}

/** `meant`: the path that the author most likely had in mind; that it is missing need not be said as well. */
function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, source: YamlSource, mapping: Mapping | undefined) {
  const given = Object.keys((issue.input ?? {}) as object);
  const free = mapping?.keys.filter((key) => !given.includes(key)) ?? [];
  return issue.keys.map((key): { complaint: Complaint; meant: string | null } => {
    const near = closest(key, free);
    const known = mapping?.keys.map((name) => `\`${name}\``).join(', ') || 'none';
    const advice = near ? `Did you mean \`${near}\`?` : `Its settings are ${known}.`;
    const words = `\`${key}\` is not a setting of ${mapping?.noun ?? 'this mapping'}. ${advice}`;
    const complaint = { code: 'MEDIC_CONFIG_UNKNOWN_KEY', at: source.positionOfKey(issue.path, key), words } as const;
    return { complaint, meant: near && dotted([...issue.path, near]) };
  });
}

function wrongValue(issue: z.core.$ZodIssue, source: YamlSource): Complaint {
  const name = issue.path.length === 0 ? 'The file' : `\`${dotted(issue.path)}\``;
  const words = issue.input === undefined ? `${name} is missing.` : `${name} ${issue.message}${got(issue)}.`;
  return { code: 'MEDIC_CONFIG_INVALID', at: source.positionOf(issue.path), words };
}

/** The value found, unless its name says that it is a secret. */
function got({ input, path, code }: z.core.$ZodIssue): string {
  if (isSecretName(String(path.at(-1) ?? ''))) return '';
  if (input !== null && typeof input === 'object') {
    if (code !== 'invalid_type') return '';
    return `, not ${Array.isArray(input) ? 'a list' : 'a mapping'}`;
  }
  return input === null ? ', not empty' : `, not \`${oneLine(String(input), 60)}\``;
}
