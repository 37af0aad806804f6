import type { Document } from 'yaml';
import { isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Complaint, Position } from './complaint.js';
import { refuse } from './complaint.js';

/** A YAML text and where it stands. */
export interface YamlText {
  /** As it is to be named in errors. */
  readonly path: string;
  readonly text: string;
  /** Line of the file on which the text begins; 1 unless it is the head of another file. */
  readonly firstLine?: number;
}

/** Keys and indexes from the root to a value. */
export type YamlPath = readonly PropertyKey[];

/** Parsed YAML that remembers where everything stood. */
export interface YamlSource {
  /** Plain objects, lists and scalars. */
  readonly value: unknown;
  /** Where a value stands, or else the nearest value around it. */
  positionOf(path: YamlPath): Position;
  /** Where the key itself stands in the mapping at `path`. */
  positionOfKey(path: YamlPath, key: string): Position;
}

/**
 * Parses one YAML 1.2 document. Duplicate keys, unknown tags, loose aliases and further documents are errors, and
 * nothing in the text can run. Throws `MEDIC_CONFIG_SYNTAX` with every complaint.
 */
export function parseYamlSource({ path, text, firstLine = 1 }: YamlText): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const complaints = [...syntaxComplaints(document, text, at), ...looseAliases(document, at)];
  if (complaints.length > 0) throw refuse(path, complaints);
  return {
    value: plain(document, path, at),
    positionOf: (where) => at(offsetOf(document, where)),
    positionOfKey: (where, key) => at(offsetOfKey(document, where, key) ?? offsetOf(document, where)),
  };
}

function syntaxComplaints(document: Document.Parsed, text: string, at: (offset: number) => Position): Complaint[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    code: 'MEDIC_CONFIG_SYNTAX',
    at: at(pos[0]),
    words: code === 'DUPLICATE_KEY' ? `\`${keyAt(text, pos[0])}\` is given more than once.` : `${message}.`,
  }));
}

const keyAt = (text: string, offset: number): string => /^[^\s:]+/.exec(text.slice(offset))?.[0] ?? '';

function looseAliases(document: Document.Parsed, at: (offset: number) => Position): Complaint[] {
  const loose: Complaint[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      const words = `\`*${alias.source}\` refers to nothing above it.`;
      loose.push({ code: 'MEDIC_CONFIG_SYNTAX', at: at(alias.range?.[0] ?? 0), words });
    },
  });
  return loose;
}

/** Aliases that multiply without end are stopped by the parser while it builds the value. */
function plain(document: Document.Parsed, path: string, at: (offset: number) => Position): unknown {
  try {
    return document.toJS();
  } catch (failure) {
    throw refuse(path, [{ code: 'MEDIC_CONFIG_SYNTAX', at: at(0), words: `${(failure as Error).message}.` }]);
  }
}

function offsetOf(document: Document.Parsed, path: YamlPath): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  const offset = isNode(node) ? node.range?.[0] : undefined;
  if (offset !== undefined) return offset;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function offsetOfKey(document: Document.Parsed, path: YamlPath, key: string): number | undefined {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return undefined;
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

/** A path as people write it: `preApproved[0].max`. */
export function dotted(path: YamlPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
