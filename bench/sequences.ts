import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LAB_IN_WORDS, recordScene } from './sequences/play.js';
import type { Recording } from './sequences/rows.js';
import { SCENES } from './sequences/scenes.js';

/*
 * What the stand-in shows around a fault, row by row, in the shape of the recordings of a real cluster.
 *
 *     node dist/bench/sequences.js [--scene node_kill]... [--out FOLDER] [--note TEXT]
 *
 * One fresh lab for each scene; all of them without `--scene`.
 */

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scene: { type: 'string', multiple: true },
      out: { type: 'string', default: 'tests/fixtures/lab-fault-rows' },
      note: { type: 'string' },
    },
  });
  const scenes = SCENES.filter(({ scene }) => values.scene?.includes(scene) ?? true);
  mkdirSync(values.out, { recursive: true });
  for (const scene of scenes) {
    const loadBefore = loadavg()[0];
    const recording = await recordScene(scene);
    const file = join(values.out, `${scene.scene}.json`);
    writeFileSync(file, asText({ ...recording, conditions: conditions({ loadBefore, note: values.note }) }));
    process.stdout.write(`${file}: ${recording.rows.length} rows\n`);
  }
}

const conditions = ({ loadBefore, note }: { readonly loadBefore: number | undefined; readonly note?: string }) => ({
  at: new Date().toISOString(),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  profile: 'fast',
  lab: LAB_IN_WORDS,
  machine: { cores: availableParallelism(), node: process.version, platform: process.platform, loadBefore },
  note,
});

/** One row a line, as the recordings of the real cluster are written. */
function asText({ rows, ...rest }: Recording & { readonly conditions: object }): string {
  const head = Object.entries(rest).map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return ['{', ...head, ' "rows": [', rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n'), ' ]', '}', ''].join(
    '\n',
  );
}

await main();
