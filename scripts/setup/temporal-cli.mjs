import { accessSync, constants, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { atLeast } from './node-version.mjs';
import { run } from './run.mjs';

/** The release that Medic runs with where it may choose. */
export const CLI_VERSION = '1.9.1';

/** The oldest CLI that is accepted; why this one stands in docs/setup.md. */
export const CLI_FLOOR = '1.9.1';

const ANSWER_MS = 10_000;

/** Asks a CLI, given as a path or as a name to look up on PATH, for its version. Gives `{cli: {path, version}}` or `{problem}`. */
export async function usableCli(command, env = process.env) {
  const path = locate(command, env.PATH ?? '');
  if (!path) return { problem: command.includes(sep) ? 'no executable file there' : `no \`${command}\` found` };
  const { code, output } = await run(path, ['--version'], { timeoutMs: ANSWER_MS });
  const version = /temporal version (\d+\.\d+\.\d+)/.exec(output)?.[1];
  if (code !== 0 || !version) return { problem: `${path} --version does not answer like a Temporal CLI` };
  if (!atLeast(version, CLI_FLOOR)) return { problem: `${path} is ${version}, older than ${CLI_FLOOR}` };
  return { cli: { path, version } };
}

/** The CLI of the last setup, if that very file (size and time) is still there: saves starting it each time. */
export function recordedCli(folder) {
  try {
    const record = JSON.parse(readFileSync(join(folder, 'cli.json'), 'utf8'));
    const { size, mtimeMs } = statSync(record.path);
    const same = size === record.size && mtimeMs === record.mtimeMs && atLeast(record.version, CLI_FLOOR);
    return same ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Writes down which CLI Medic shall start, for this checkout. */
export function recordCli(folder, { path, version }) {
  const { size, mtimeMs } = statSync(path);
  const record = { path, version, size, mtimeMs };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cli.json.new'), `${JSON.stringify(record, null, 2)}\n`);
  renameSync(join(folder, 'cli.json.new'), join(folder, 'cli.json'));
  return record;
}

function locate(command, searchPath) {
  if (command.includes(sep)) return executable(isAbsolute(command) ? command : resolve(command));
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => executable(join(folder, command))).find(Boolean);
}

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
