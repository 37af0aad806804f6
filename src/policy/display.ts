import type { Word } from './row.js';
import type { FlatArgv } from './shell/walk.js';

/** One flattened argv for an approver: where it runs, its words, its files, and what only the run decides. */
export function describeArgv({ where, words, reads, writes, env }: FlatArgv): string {
  const place = where.map((name) => `in ${name}: `).join('');
  const command = words.length > 0 ? words.map(describeWord) : env.map((name) => `${name}=…`);
  const files = [...reads.map((path) => `< ${path}`), ...writes.map((path) => `> ${path}`)];
  return place + [...command, ...files].join(' ');
}

function describeWord({ text, dynamic, multi }: Word): string {
  if (dynamic || multi) return text;
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, String.raw`'\''`)}'`;
}
