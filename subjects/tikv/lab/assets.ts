import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** File or folder of the lab that ships as it is, by its path from the package root. */
export type AssetPath = `subjects/tikv/lab/${string}`;

/**
 * Absolute path of an asset of the lab.
 *
 * Compiled code runs from `dist/subjects/...`, tests from `subjects/...`; the assets exist only once, so both are
 * found from the package root.
 *
 * @throws Error when the code does not lie inside the package `medic`, which is a broken installation
 */
export function assetPath(path: AssetPath): string {
  return join(packageRoot(dirname(fileURLToPath(import.meta.url))), path);
}

/**
 * The nearest folder at or above `from` whose package.json is named `medic`.
 *
 * @throws Error when there is none up to the root of the file system
 */
export function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (packageName(join(folder, 'package.json')) === 'medic') return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json named "medic" at or above ${from}`);
  }
}

function packageName(file: string): unknown {
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name;
}
