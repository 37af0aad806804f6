import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { MedicError } from '../domain/errors.js';
import type { ArchivedTicket } from './archive.js';
import type { EvidenceStore } from './store.js';

/** One ticket in one file: everything that is needed to read, replay and rethink it elsewhere. */
export interface Bundle {
  readonly archived: ArchivedTicket;
  /** Bodies of evidence and conversations, by hash. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Hashes of the files that were in force when it was exported, by name. */
  readonly content: Readonly<Record<string, string>>;
}

const Written = z.object({
  apiVersion: z.literal('medic/v1'),
  kind: z.literal('bundle'),
  archived: z.custom<ArchivedTicket>((value) => typeof (value as ArchivedTicket | null)?.ticket?.id === 'string'),
  bodies: z.record(z.string(), z.string()),
  content: z.record(z.string(), z.string()),
});

/**
 * Gathers every body that the record names. Which are named is read off the record itself, so that nothing is forgotten
 * when a new kind of event refers to one.
 */
export async function gather(
  archived: ArchivedTicket,
  { store, content }: { readonly store: EvidenceStore; readonly content: Bundle['content'] },
): Promise<Bundle> {
  const named = new Set(JSON.stringify(archived).match(/\b[0-9a-f]{64}\b/g) ?? []);
  const bodies = new Map<string, string>();
  for (const sha256 of named) if (await store.has(sha256)) bodies.set(sha256, await store.get(sha256));
  return { archived, bodies, content };
}

export async function packBundle({ archived, bodies, content }: Bundle): Promise<Buffer> {
  const written: z.infer<typeof Written> = {
    apiVersion: 'medic/v1',
    kind: 'bundle',
    archived,
    bodies: Object.fromEntries(bodies),
    content,
  };
  return promisify(gzip)(JSON.stringify(written));
}

/** @throws MedicError `MEDIC_BUNDLE_UNREADABLE`, also when a body does not match its hash */
export async function unpackBundle(bytes: Uint8Array, source: string): Promise<Bundle> {
  const { archived, bodies, content } = await parse(bytes, source);
  for (const [sha256, body] of Object.entries(bodies)) {
    const found = createHash('sha256').update(body).digest('hex');
    if (found !== sha256) throw unreadable(source, `the body ${sha256} has the hash ${found}`);
  }
  return { archived, bodies: new Map(Object.entries(bodies)), content };
}

async function parse(bytes: Uint8Array, source: string): Promise<z.infer<typeof Written>> {
  try {
    return Written.parse(JSON.parse((await promisify(gunzip)(bytes)).toString('utf8')));
  } catch (failure) {
    const why =
      failure instanceof z.ZodError ? `its \`${failure.issues[0]?.path.join('.')}\` is not as expected` : 'it is none';
    throw unreadable(source, why);
  }
}

const unreadable = (source: string, why: string): MedicError =>
  new MedicError('MEDIC_BUNDLE_UNREADABLE', `${source}: ${why}`);
