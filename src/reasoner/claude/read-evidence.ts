import { MedicError } from '../../domain/errors.js';
import type { ReasonerTools } from '../reasoner.js';
import type { EvidenceRead } from './tools.js';
import { untrusted } from './untrusted.js';

/** Of one reading; a longer one is cut and says so. */
const MAX_READ_CHARS = 8_000;
const MAX_LINE_CHARS = 1_000;

/** The asked lines of one piece of evidence with their numbers, quoted as untrusted; in words why there are none. */
export async function readEvidence({ id, range, grep }: EvidenceRead, body: ReasonerTools['body']): Promise<string> {
  const text = await bodyOrWords(id, body);
  if (text.kind === 'words') return text.words;
  const all = text.body.split('\n').map((line, index) => ({ number: index + 1, line }));
  const wanted = all
    .filter(({ number }) => range === null || (number >= range.from && number <= range.to))
    .filter(({ line }) => grep === null || line.toLowerCase().includes(grep.toLowerCase()));
  if (wanted.length === 0) return `${id} has ${all.length} lines, and none of those you asked for.`;
  const { shown, left } = cut(wanted.map(({ number, line }) => `${number}: ${line.slice(0, MAX_LINE_CHARS)}`));
  const rest = left === 0 ? '' : `\n${left} more lines: ask for a range or a text.`;
  return `${id}, ${wanted.length} of ${all.length} lines:\n${untrusted(shown.join('\n'), id)}${rest}`;
}

async function bodyOrWords(id: EvidenceRead['id'], body: ReasonerTools['body']) {
  try {
    return { kind: 'body', body: await body(id) } as const;
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    return { kind: 'words', words: `${id} cannot be read: ${error.message}` } as const;
  }
}

function cut(lines: readonly string[]): { shown: readonly string[]; left: number } {
  let room = MAX_READ_CHARS;
  const end = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  const shown = end === -1 ? lines : lines.slice(0, Math.max(end, 1));
  return { shown, left: lines.length - shown.length };
}
