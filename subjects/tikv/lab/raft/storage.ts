import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ready } from './member.js';
import { blankRestored, type Persistable, persist } from './restored.js';
import type { RaftRestored } from './types.js';
import { decodeFrames, encodeFrame } from './wal-frames.js';

const FILE = 'raft.wal';
/** First bytes of the file: what it is, and the version of its format. */
const MAGIC = Buffer.from('RAFTWAL1');
const DEFAULT_COMPACT_AT_BYTES = 4 * 1024 * 1024;

/** One group's share of a batch. A seed layout may write the first state of a group by hand. */
export interface GroupWrite {
  /** The adapter's name for the group, e.g. a region id. */
  group: string;
  ready: Persistable & Pick<Ready, 'mustSync'>;
  /** Before the rest of this write everything about the group is forgotten: its member is gone, or another one begins. */
  erase?: true;
  /** What the adapter must know about the group beside Raft's own state; replaces the last note. */
  note?: string;
}

/** What the disk knows of one group. */
export interface StoredGroup extends RaftRestored {
  note?: string;
}

export interface StorageOptions {
  dir: string;
  /** The file is rewritten when it is this large *and* twice as large as after the last rewrite. Default 4 MiB. */
  compactAtBytes?: number;
  /** Makes what was written to `file` durable. Default fdatasync. */
  sync?: (file: FileHandle) => Promise<void>;
}

export interface OpenedStorage {
  storage: RaftStorage;
  /** State of each group ever saved; a group that is missing starts from `blankRestored()`. */
  groups: Map<string, StoredGroup>;
  /** Size of the torn tail that was cut off; worth a line in the log. */
  droppedBytes: number;
}

interface Deps {
  dir: string;
  compactAtBytes: number;
  sync: (file: FileHandle) => Promise<void>;
  groups: Map<string, StoredGroup>;
  bytes: number;
}

/**
 * Opens or creates the write-ahead log in `dir`. One process at a time may have it open.
 * Throws if `raft.wal` exists and is not one of ours, or if the file system refuses.
 */
export async function openStorage({ dir, compactAtBytes, sync }: StorageOptions): Promise<OpenedStorage> {
  await mkdir(dir, { recursive: true });
  const { groups, validBytes, droppedBytes } = await load(join(dir, FILE));
  const storage = new RaftStorage({
    dir,
    groups,
    bytes: validBytes,
    compactAtBytes: compactAtBytes ?? DEFAULT_COMPACT_AT_BYTES,
    sync: sync ?? ((file) => file.datasync()),
  });
  await (validBytes === 0 || droppedBytes > 0 ? storage.rewrite() : storage.resume());
  const copies = [...groups].map(([group, state]): [string, StoredGroup] => [
    group,
    { ...state, entries: [...state.entries] },
  ]);
  return { storage, groups: new Map(copies), droppedBytes };
}

/** Append-only log of many Raft groups in one file, so that one fsync serves a batch of them. Made by `openStorage`. */
export class RaftStorage {
  private file: FileHandle | null = null;
  private rewrittenBytes = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly deps: Deps) {}

  /**
   * Writes the batch as one frame (after a crash all of it is there or nothing) and syncs it if any of it must be.
   * Resolves when that is done; calls are served in order. After a failure every later call fails with the same
   * error: what a failed fsync left on the disk is unknown, so only a restart may go on.
   */
  save(batch: GroupWrite[]): Promise<void> {
    const writes = batch.filter(hasContent);
    this.queue = this.queue.then(() => (writes.length === 0 ? undefined : this.write(writes)));
    return this.queue;
  }

  /** Waits for what was saved before; does not throw because of an earlier failed save. */
  async close(): Promise<void> {
    await this.queue.catch(() => undefined);
    await this.file?.close();
    this.file = null;
  }

  /** Goes on with the file as it is. What a killed process wrote without a sync must be durable before anyone relies on it. */
  async resume(): Promise<void> {
    this.file = await open(this.path, 'a');
    await this.deps.sync(this.file);
  }

  /** Replaces the file by one that holds only the present state. A crash leaves either the old or the new one. */
  async rewrite(): Promise<void> {
    const content = Buffer.concat([MAGIC, ...[...this.deps.groups].map(groupFrame)]);
    const temporary = `${this.path}.new`;
    await writeDurably({ path: temporary, content, sync: this.deps.sync });
    await rename(temporary, this.path);
    await syncDirectory(this.deps.dir);
    await this.file?.close();
    this.file = await open(this.path, 'a');
    this.deps.bytes = this.rewrittenBytes = content.length;
  }

  private get path(): string {
    return join(this.deps.dir, FILE);
  }

  private async write(writes: GroupWrite[]): Promise<void> {
    if (!this.file) throw new Error(`${this.path} is closed`);
    const frame = encodeFrame(JSON.stringify(writes.map(toRecord)));
    await this.file.appendFile(frame);
    if (writes.some(({ ready }) => ready.mustSync)) await this.deps.sync(this.file);
    this.deps.bytes += frame.length;
    replay(this.deps.groups, writes);
    const limit = Math.max(this.deps.compactAtBytes, 2 * this.rewrittenBytes);
    if (this.deps.bytes > limit) await this.rewrite();
  }
}

interface Loaded {
  groups: Map<string, StoredGroup>;
  validBytes: number;
  droppedBytes: number;
}

async function load(path: string): Promise<Loaded> {
  const groups = new Map<string, StoredGroup>();
  const content = await readIfThere(path);
  if (!content) return { groups, validBytes: 0, droppedBytes: 0 };
  if (!content.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error(`${path} is not a ${MAGIC.toString()} file`);
  const { payloads, validBytes } = decodeFrames(content, MAGIC.length);
  for (const payload of payloads) replay(groups, JSON.parse(payload) as Recorded[]);
  return { groups, validBytes, droppedBytes: content.length - validBytes };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A write as it stands in the file. */
type Recorded = Omit<GroupWrite, 'ready'> & { ready: Persistable };

/** Changes `groups` to what the disk holds once `writes` are on it. */
export function replay(groups: Map<string, StoredGroup>, writes: readonly Recorded[]): void {
  for (const { group, ready, erase, note } of writes) {
    const known = erase ? undefined : groups.get(group);
    const state: StoredGroup = known ?? blankRestored();
    persist(state, ready);
    if (note !== undefined) state.note = note;
    groups.set(group, state);
  }
}

function toRecord({ ready, ...rest }: GroupWrite): Recorded {
  const { hardState, entries, snapshot, compacted } = ready;
  return { ...rest, ready: { hardState, entries, snapshot, compacted } };
}

function groupFrame([group, { hardState, entries, snapshot, note }]: [string, StoredGroup]): Buffer {
  const ready: Persistable = { hardState, entries, ...(snapshot && { snapshot }) };
  const record: Recorded = { group, ready, ...(note !== undefined && { note }) };
  return encodeFrame(JSON.stringify([record]));
}

function hasContent({ ready, erase, note }: GroupWrite): boolean {
  const { hardState, entries, snapshot, compacted } = ready;
  return Boolean(hardState || snapshot || compacted || entries.length > 0 || erase || note !== undefined);
}

async function writeDurably({ path, content, sync }: Pick<Deps, 'sync'> & { path: string; content: Buffer }) {
  const file = await open(path, 'w');
  try {
    await file.writeFile(content);
    await sync(file);
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
