/**
 * A short stable name for a text, 16 hex digits: two FNV-1a sums with different seeds. Workflows may not use a crypto
 * module; it only tells texts apart, it protects nothing.
 */
export const shortHash = (text: string): string => sum(text, 0x811c9dc5) + sum(text, 0x01000193 ^ text.length);

function sum(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
