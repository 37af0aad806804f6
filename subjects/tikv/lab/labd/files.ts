import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MedicError } from '../../../../src/domain/errors.js';
import type { ProfileName } from '../../profiles.js';
import type { NodeRecord } from './node-record.js';
import type { ProcessIdentity } from './process-look.js';
import type { LabShape } from './topology.js';

/** `<lab>/lab.json`: what makes a folder a lab that Medic made, and how to reach its labd. Mode 0600: it holds the token. */
export interface LabFile {
  /** The marker; chaos touches nothing without it. */
  readonly kind: 'medic-lab';
  readonly version: 1;
  readonly subject: 'tikv';
  readonly labId: string;
  readonly createdAt: string;
  readonly profile: ProfileName;
  readonly shape: LabShape;
  /** First of the lab's ports; labd itself listens on it. */
  readonly basePort: number;
  /** Random, new at each start of labd; every request carries it. */
  readonly token: string;
  readonly labd: ProcessIdentity;
}

/** `<lab>/state.json`: the records of the nodes by name; survives labd. */
export type StateFile = Readonly<Record<string, NodeRecord>>;

/** Files of a lab, by the folder's path. */
export const labPaths = (dir: string) => ({
  lab: join(dir, 'lab.json'),
  state: join(dir, 'state.json'),
  lock: join(dir, 'labd.lock'),
  labctl: join(dir, 'bin', 'labctl'),
  stderr: join(dir, 'logs', 'labd.stderr'),
  log: (node: string) => join(dir, 'logs', `${node}.log`),
  options: (node: string) => join(dir, 'conf', `${node}.json`),
});

/** The lab of a folder; undefined when there is none. */
export function readLabFile(dir: string): LabFile | undefined {
  const lab = readJson(labPaths(dir).lab) as Partial<LabFile> | undefined;
  return lab?.kind === 'medic-lab' && lab.version === 1 ? (lab as LabFile) : undefined;
}

/** Writes `lab.json`, readable by its owner only. */
export function writeLabFile(dir: string, lab: LabFile): void {
  writeWhole({ file: labPaths(dir).lab, text: toText(lab), mode: 0o600 });
}

/** What earlier labds of this folder knew of the nodes. */
export function readStateFile(dir: string): StateFile {
  return (readJson(labPaths(dir).state) ?? {}) as StateFile;
}

/**
 * `<lab>/conf/<node>.json`: a node's own configuration, as further options of its start line; none without the file. Read
 * at each start, as a process reads its configuration.
 */
export function readNodeOptions(dir: string, node: string): readonly string[] {
  const options = readJson(labPaths(dir).options(node));
  return Array.isArray(options) ? options.map(String) : [];
}

/** Replaces a node's own configuration; it holds from its next start on. */
export function writeNodeOptions(dir: string, node: string, options: readonly string[]): void {
  writeWhole({ file: labPaths(dir).options(node), text: toText(options), mode: 0o600 });
}

/** Writes `state.json`. */
export function writeStateFile(dir: string, state: StateFile): void {
  writeWhole({ file: labPaths(dir).state, text: toText(state), mode: 0o600 });
}

/** Puts the whole text in place at once: a reader, or a crash, sees the old file or the new one. Makes the folder. */
export function writeWhole({ file, text, mode }: { file: string; text: string; mode: number }): void {
  const draft = `${file}.${process.pid}.tmp`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, text, { mode });
  chmodSync(draft, mode);
  renameSync(draft, file);
}

/**
 * The JSON of a file, undefined when there is no such file.
 *
 * @throws MedicError `MEDIC_LAB_FAILED` for a file that holds no JSON
 */
export function readJson(file: string): unknown {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new MedicError('MEDIC_LAB_FAILED', `${file} holds no JSON`, 'Start the lab on an empty folder.');
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
