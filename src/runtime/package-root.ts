import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of Medic's package.json, where files that are not compiled lie (policies, agents, node_modules, the cached
 * Temporal CLI). Compiled code runs from `dist/`, tests from the sources, so the way up differs.
 *
 * @throws Error if this file lies outside the package, which is a broken installation
 */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (nameOf(join(folder, 'package.json')) === 'medic') return folder;
  }
  throw new Error(`no package.json of medic above ${import.meta.dirname}`);
}

/** Absolute path of the compiled form of a source, for processes of their own: `src/runtime/process/keeper.ts`. */
export function compiledFile(source: `${string}.ts`): string {
  return join(packageRoot(), 'dist', source.replace(/\.ts$/, '.js'));
}

function nameOf(file: string): unknown {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name : undefined;
}
