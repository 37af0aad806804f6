import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { knock } from '../../../subjects/tikv/observe/client-port.js';
import { clientPortWords } from '../../../subjects/tikv/picture/words.js';
import type { MedicConfig, NotifyTarget } from '../../config/medic.js';
import { loadModels } from '../../config/models.js';
import { loadPrompt } from '../../config/prompt.js';
import { readSecret, type SecretSource } from '../../config/secret-source.js';
import { answers } from '../../runtime/process/dev-server.js';
import { temporalOf } from '../../runtime/temporal-env.js';
import { check, type Finding, fix, ok, unreachable, wordsOf } from './finding.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Where what a ticket saw is kept for years. */
const LEAST_FREE_BYTES = 1024 ** 3;
const KNOCK_MS = 5_000;

/** What people have to provide: files, secrets, ways to others. Nobody is told anything by it. */
export async function installationFindings({
  home,
  config,
  files,
  env,
}: {
  readonly home: string;
  readonly config: MedicConfig;
  readonly files: { readonly modelsFile: string; readonly systemPromptFile: string };
  readonly env: Env;
}): Promise<Finding[]> {
  return [
    await evidenceFinding(home),
    await check('models', async () => `${(await loadModels(files.modelsFile)).use} of agents/models.yaml`),
    await check('prompt', async () => {
      await loadPrompt(files.systemPromptFile);
      return 'agents/prompts/system.md';
    }),
    ok(
      'model key',
      env.ANTHROPIC_API_KEY ? 'ANTHROPIC_API_KEY is set' : 'ANTHROPIC_API_KEY is not set: the rules reason',
    ),
    ...(await temporalFindings(env)),
    ...(await Promise.all(config.notify.map((target) => targetFinding(target, env)))),
    ...(config.intake ? [await secretFinding('intake', config.intake.token, env)] : []),
  ];
}

async function evidenceFinding(home: string): Promise<Finding> {
  let folder = resolve(home);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const words = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free < LEAST_FREE_BYTES
    ? fix('evidence store', `${words}: make room, or move the home`)
    : ok('evidence store', words);
}

async function temporalFindings(env: Env): Promise<Finding[]> {
  const place = temporalOf(env);
  if (place === null) return [];
  const words = `${place.address}, namespace ${place.namespace}`;
  if (await answers(place)) return [ok('TEMPORAL_ADDRESS', words)];
  return [unreachable('TEMPORAL_ADDRESS', `${words} does not answer: check the address, the namespace, TLS and key`)];
}

async function secretFinding(name: string, source: SecretSource, env: Env): Promise<Finding> {
  return check(name, async () => {
    await readSecret(source, env);
    return `its token is in ${source.env ?? source.file}`;
  });
}

async function targetFinding(target: NotifyTarget, env: Env): Promise<Finding> {
  const name = `notify ${target.name}`;
  try {
    const address = await addressOf(target, env);
    if (!URL.canParse(address)) return fix(name, 'its secret is no address');
    const url = new URL(address);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const door = await knock({ address: `${url.hostname}:${port}`, deadlineMs: KNOCK_MS });
    const words = `${url.hostname}:${port} ${clientPortWords(door)}`;
    return door.kind === 'open' ? ok(name, `${words}; \`./medic notify test\` sends one`) : unreachable(name, words);
  } catch (error) {
    return fix(name, wordsOf(error));
  }
}

/** With its secret read, whether it is needed for the address or not. */
async function addressOf(target: NotifyTarget, env: Env): Promise<string> {
  switch (target.type) {
    case 'slack':
      return readSecret(target.address, env);
    case 'webhook':
      await readSecret(target.secret, env);
      return target.url;
    case 'pagerduty':
      await readSecret(target.routingKey, env);
      return target.url;
  }
}
