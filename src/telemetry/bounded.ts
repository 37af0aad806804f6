/** What stands for values beyond the bound. */
export const OTHER = 'other';

/**
 * Keeps a label from growing without end, as each value of it costs memory here and in Prometheus: the first `max`
 * different values pass, later ones become `other`.
 */
export function bounded(max: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (seen.size < max) seen.add(value);
    return seen.has(value) ? value : OTHER;
  };
}
