import { refuse } from './complaint.js';

/** A Markdown file whose head is YAML between two lines `---`. Throws `MEDIC_CONFIG_SYNTAX`. */
export function splitFrontMatter(path: string, text: string): { head: string; body: string } {
  const match = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match?.index === 0) return { head: match[1] ?? '', body: text.slice(match[0].length) };
  const words = text.startsWith('---')
    ? 'The head is not closed by a line `---`.'
    : 'The file does not begin with a line `---`.';
  throw refuse(path, [{ code: 'MEDIC_CONFIG_SYNTAX', at: { line: 1, column: 1 }, words }]);
}
