import type * as z from 'zod';
import { dotted } from './yaml-source.js';

/** What unknown keys are compared with. */
export interface Mapping {
  readonly noun: string;
  readonly keys: readonly string[];
}

/**
 * Our words for an issue, completing the sentence "`key` ..."; `undefined` leaves it to zod. Also notes
 * which mapping an unknown key was found in: the finished issue does not tell.
 */
export function phrase(issue: z.core.$ZodRawIssue, mappings: Map<string, Mapping>): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const definition = issue.inst?._zod.def as { shape?: object } | undefined;
      const noun = (issue.inst as z.ZodType | undefined)?.description ?? 'this mapping';
      mappings.set(dotted(issue.path ?? []), { noun, keys: Object.keys(definition?.shape ?? {}) });
      return undefined;
    }
    case 'invalid_type':
      return `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => `\`${String(value)}\``).join(', ')}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** `1 entry long`, `3 characters long`, `65535` */
function amount(limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit ? `${limit} ${unit[Number(limit) === 1 ? 0 : 1]} long` : String(limit);
}
