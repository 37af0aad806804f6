import { loadModels } from '../config/models.js';
import { MedicError } from '../domain/errors.js';
import { contentFiles } from '../runtime/content.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';

type Asked = WorkerSettings['reasoner'];
type Env = Readonly<Record<string, string | undefined>>;

/**
 * What can be told before anything is started.
 *
 * @throws MedicError `MEDIC_MODEL_KEY_MISSING`, `MEDIC_MODEL_UNKNOWN`, `MEDIC_CONFIG_*`
 */
export async function checkReasoner(asked: Asked, env: Env): Promise<void> {
  if (asked.kind !== 'claude') return;
  if (!env.ANTHROPIC_API_KEY) throw new MedicError('MEDIC_MODEL_KEY_MISSING', 'ANTHROPIC_API_KEY is not set');
  const { prices } = await loadModels(contentFiles().modelsFile);
  if (asked.model !== undefined && !Object.hasOwn(prices, asked.model))
    throw new MedicError(
      'MEDIC_MODEL_UNKNOWN',
      `no price of ${asked.model}; there are ${Object.keys(prices).join(', ')}`,
    );
}

/** `rules (no ANTHROPIC_API_KEY)`, `claude`, `recorded tikv/1` */
export function reasonerWords(asked: Asked, env: Env): string {
  switch (asked.kind) {
    case 'rules':
      return `rules (${env.ANTHROPIC_API_KEY ? 'asked for' : 'no ANTHROPIC_API_KEY'})`;
    case 'claude':
      return asked.model === undefined ? 'claude' : `claude (${asked.model})`;
    case 'recorded':
      return `recorded ${asked.ticket}`;
  }
}
