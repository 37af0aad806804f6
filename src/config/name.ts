import * as z from 'zod';

/** What people call a thing of theirs in medic.yaml, and type in verbs. `example` stands in the refusal. */
export const name = (example: string) =>
  z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, { error: `must be a short name like \`${example}\`` });

/** Refuses a list in which two entries have one name. */
export function differ(entries: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  for (const [index, entry] of entries.entries()) {
    if (entries.findIndex((other) => other.name === entry.name) < index)
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'is the name of another one',
        input: entry.name,
      });
  }
}
