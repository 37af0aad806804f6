import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';

/** A check that runs the program `name` of an installed package with `args`, in the root of the checkout. Passes if it exits 0. */
export function tool(packageName, name, args) {
  return async ({ root }) => {
    const { code, output } = await run(process.execPath, [binaryOf(root, packageName, name), ...args], { cwd: root });
    return { ok: code === 0, output };
  };
}

/** Where a package keeps one of its programs. Run with Node directly: `npx` costs half a second each time. */
export function binaryOf(root, packageName, name) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}
