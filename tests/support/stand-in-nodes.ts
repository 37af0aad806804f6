import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import { type LaunchedLab, type LaunchOptions, launchLab } from '../../subjects/tikv/lab/labd/launch.js';

const SCRIPT = fileURLToPath(new URL('../fixtures/lab/node.mjs', import.meta.url));

/** Nodes that only listen, log and end; see `tests/fixtures/lab/node.mjs`. */
export const LISTENERS = { pd: SCRIPT, store: SCRIPT } as const;

/** Labs of listeners in temporary folders, all ended and removed by `end`. */
export interface ListenerLabs {
  folder(): string;
  up(options: Omit<LaunchOptions, 'scripts'>): Promise<{ lab: Lab; launched: LaunchedLab }>;
  end(): Promise<void>;
}

/** For tests of labd and of chaos that need real processes, but no cluster. */
export function listenerLabs(): ListenerLabs {
  const folders: string[] = [];
  const labs: LaunchedLab[] = [];
  return {
    folder() {
      const dir = mkdtempSync(join(tmpdir(), 'medic-labd-'));
      folders.push(dir);
      return dir;
    },
    async up(options) {
      const launched = launchLab({ ...options, scripts: LISTENERS });
      labs.push(launched);
      return { lab: await launched.ready, launched };
    },
    async end() {
      await Promise.all(labs.splice(0).map((launched) => launched.stop()));
      for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
    },
  };
}
