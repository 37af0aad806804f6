import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import * as z from 'zod';
import { MedicError } from '../../domain/errors.js';
import type { EvidenceStore } from '../../evidence/store.js';

/** The conversation of one ticket, turn by turn. Lives in the evidence store; history holds its hash. */
export interface Transcript {
  readonly turns: readonly TranscriptTurn[];
  /** Tool calls of the last answer that got no result yet: the next message has to begin with one for each. */
  readonly open: readonly string[];
  /** Highest number of evidence whose excerpts were shown. */
  readonly seenUpTo: number;
}

export interface TranscriptTurn {
  readonly turn: number;
  /** Kind of the step that the turn ended in, for a summary. */
  readonly ended: string;
  readonly messages: readonly MessageParam[];
}

export const EMPTY_TRANSCRIPT: Transcript = { turns: [], open: [], seenUpTo: 0 };

const Stored = z.object({
  v: z.literal(1),
  turns: z.array(
    z.object({ turn: z.number(), ended: z.string(), messages: z.array(z.custom<MessageParam>((m) => m !== null)) }),
  ),
  open: z.array(z.string()),
  seenUpTo: z.number(),
});

/** What was stored under the hash; `null` when it is not there or not whole, which costs the model only its memory. */
export async function loadTranscript(
  store: EvidenceStore,
  // A digest of a history that is older than conversations has none.
  sha256: string | null | undefined,
): Promise<Transcript | null> {
  if (!sha256) return EMPTY_TRANSCRIPT;
  try {
    const parsed = Stored.safeParse(JSON.parse(await store.get(sha256)));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof MedicError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns its hash. */
export async function storeTranscript(store: EvidenceStore, transcript: Transcript): Promise<string> {
  const { sha256 } = await store.put(JSON.stringify({ v: 1, ...transcript }));
  return sha256;
}
