import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { MedicError } from '../../../../src/domain/errors.js';
import { createApi } from './api.js';
import { type LabFile, labPaths, readLabFile, readStateFile, writeLabFile, writeWhole } from './files.js';
import { startGuardian } from './guardian.js';
import { takeLock } from './lock.js';
import { DEFAULT_SHAPE, type LabdOptions } from './options.js';
import { claimPorts } from './ports.js';
import { lookAtProcess, type ProcessIdentity } from './process-look.js';
import { createSupervisor, endLeftovers } from './supervisor.js';
import { type LabShape, planNodes } from './topology.js';

/** A labd at work. */
export interface Labd {
  readonly lab: LabFile;
  /** Ends every node, then itself; at most about 1.5 s. */
  end(): Promise<void>;
}

/** From SIGTERM to SIGKILL when labd ends: it promises to be gone with all its nodes within 2 s. */
const END_GRACE_MS = 1_200;

/** How long a killed leftover of an earlier labd may take to vanish. */
const LEFTOVER_MS = 5_000;

/**
 * Brings up a lab in a folder: takes the folder's lock and a block of ports, ends what an earlier labd left, starts the
 * nodes, serves the API, and only then writes `lab.json`. Data found in the folder is used; a reset is an empty folder.
 *
 * @throws MedicError `MEDIC_LAB_RUNNING`, `MEDIC_HOME_UNWRITABLE`, `MEDIC_PORT_TAKEN`, `MEDIC_USAGE` (another shape)
 */
export async function startLabd(options: LabdOptions): Promise<Labd> {
  const { dir, profile, scripts } = options;
  const self = identityOfSelf();
  lockFolder(dir, self);
  const before = readLabFile(dir);
  const shape = agreeShape(before?.shape, options.wished);
  const saved = readStateFile(dir);
  await endLeftovers({ saved, deadlineMs: LEFTOVER_MS });

  let serve: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => serve(request, response));
  const basePort = await claimPorts(server, { dir, explicit: options.basePort, kept: before?.basePort });
  const lab = describeLab({ before, profile, shape, basePort, labd: self });
  const nodes = planNodes({ dir, basePort, shape });
  const guardian = startGuardian();
  const supervisor = createSupervisor({
    dir,
    saved,
    nodes,
    scripts,
    profile,
    shape,
    now: () => new Date(),
    onStarted: guardian.watch,
  });
  serve = createApi({ identity: { labId: lab.labId, dir, pid: self.pid }, token: lab.token, supervisor });
  await supervisor.startAll();
  writeLabctl(dir);
  writeLabFile(dir, lab);

  const end = async () => {
    await supervisor.endAll({ graceMs: END_GRACE_MS });
    guardian.end();
    server.close();
    server.closeAllConnections();
    rmSync(labPaths(dir).lock, { force: true });
  };
  return { lab, end };
}

function identityOfSelf(): ProcessIdentity {
  return { pid: process.pid, start: lookAtProcess(process.pid)?.start ?? '' };
}

function lockFolder(dir: string, self: ProcessIdentity): void {
  const lock = withReason(dir, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return takeLock({ file: labPaths(dir).lock, self });
  });
  if (!lock.taken) throw new MedicError('MEDIC_LAB_RUNNING', `labd ${lock.holder.pid} already runs the lab in ${dir}`);
}

function withReason<T>(dir: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new MedicError('MEDIC_HOME_UNWRITABLE', `${dir} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Fixed at the first start, because the data of the nodes depends on it. */
function agreeShape(made: LabShape | undefined, wished: Partial<LabShape>): LabShape {
  const shape = { ...DEFAULT_SHAPE, ...made };
  const asked = (Object.keys(shape) as (keyof LabShape)[]).filter((part) => wished[part] !== undefined);
  const other = asked.find((part) => made !== undefined && wished[part] !== shape[part]);
  if (other !== undefined) {
    throw new MedicError(
      'MEDIC_USAGE',
      `--${other} ${wished[other]}: this lab was made with ${shape[other]}`,
      'Use an empty folder for another shape.',
    );
  }
  return { ...shape, ...Object.fromEntries(asked.map((part) => [part, wished[part]])) };
}

function describeLab({
  before,
  ...now
}: Pick<LabFile, 'profile' | 'shape' | 'basePort' | 'labd'> & { before?: LabFile }): LabFile {
  return {
    kind: 'medic-lab',
    version: 1,
    subject: 'tikv',
    labId: before?.labId ?? randomUUID(),
    createdAt: before?.createdAt ?? new Date().toISOString(),
    token: randomBytes(32).toString('base64url'),
    ...now,
  };
}

/** The operator's tool, with the paths of this run; nothing of it is in the project. */
function writeLabctl(dir: string): void {
  const parts = [process.execPath, fileURLToPath(new URL('./labctl.js', import.meta.url)), '--lab', dir].map(quoted);
  writeWhole({ file: labPaths(dir).labctl, text: `#!/bin/sh\nexec ${parts.join(' ')} "$@"\n`, mode: 0o755 });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
