import type { HttpCall } from '../../domain/query.js';
import { type CommandClass, type HttpRow, UNKNOWN_MUTATION } from '../row.js';

/**
 * Classifies an HTTP call by method and path, whatever sends it. Without a row a GET is a read, and everything else a
 * mutation of unknown reach.
 */
export function classifyHttp(call: HttpCall, rows: readonly HttpRow[]): CommandClass {
  const path = call.path.replace(/[?#].*$/s, '');
  if (!isPlainPath(call.path))
    return { kind: 'forbidden', reason: `the path ${call.path} leads elsewhere when it is sent` };
  const row = rows.find((r) => r.api === call.api && r.method === call.method && r.path.test(path));
  if (row) return row.classify(call);
  return call.method === 'GET' ? { kind: 'read' } : UNKNOWN_MUTATION;
}

/** HTTP clients drop dot segments, also encoded ones, so the path that was judged would not be the one that is sent. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || /[\\\s]/.test(path) || path.startsWith('//')) return false;
  const [route = ''] = path.split(/[?#]/);
  return !route.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}
