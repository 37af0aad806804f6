/** Where the lines of a wrapped text may end, in columns. */
export interface WrapWidths {
  readonly first: number;
  /** Default: as the first. */
  readonly rest?: number;
}

/** Below this a screen is too narrow for any layout: lines then run over. */
export const NARROWEST = 20;

/**
 * Breaks a line at spaces. What follows is indented two columns more than the line itself, so that a wrapped line is not
 * taken for a new one. A word that is wider than the screen stays whole: ids, paths and commands are copied from here.
 */
export function wrap(line: string, { first, rest = first }: WrapWidths): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const hang = `${indent}  `;
  const lines: string[] = [];
  let current = indent;
  for (const token of line.slice(indent.length).match(/ *[^ ]+/g) ?? []) {
    const width = Math.max(NARROWEST, lines.length === 0 ? first : rest);
    const isEmpty = current.trim() === '';
    if (isEmpty || current.length + token.length <= width) {
      current += isEmpty ? token.trimStart() : token;
    } else {
      lines.push(current);
      current = hang + token.trimStart();
    }
  }
  return [...lines, current];
}
