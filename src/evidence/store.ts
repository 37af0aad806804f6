/**
 * Where the bodies of evidence live: transcripts, command outputs, HTTP answers, all redacted before they get here.
 * Addressed by content, so a retried activity stores nothing twice and a hash in history is enough to find the body.
 */
export interface EvidenceStore {
  /** Stores a body; harmless to repeat. Text is stored as UTF-8. */
  put(body: string | Uint8Array): Promise<Stored>;
  /** The body as text. Throws `MEDIC_EVIDENCE_MISSING` and, if it no longer matches its hash, `MEDIC_EVIDENCE_CORRUPT`. */
  get(sha256: string): Promise<string>;
  /** Is there a body under this hash? Says nothing about whether it is intact. */
  has(sha256: string): Promise<boolean>;
}

/** Address of a stored body: lower-case hexadecimal hash and size in bytes. */
export interface Stored {
  readonly sha256: string;
  readonly bytes: number;
}
