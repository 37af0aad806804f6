import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadModels } from '../../../src/config/models.js';
import { loadPrompt } from '../../../src/config/prompt.js';
import { priceAt } from '../../../src/reasoner/claude/prices.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { refusalOf, withFile } from './written.js';

const models = (
  changes = '',
  prices = '    - { from: 2026-01-01, input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 }\n',
) =>
  `version: 1\nuse: one\n${changes}triesEach: 2\nmaxTokens: 4096\ncontextTokens: 60000\ncallTimeout: 2m\nstream: true\nmodels:\n  one:\n${prices}`;
const refused = (text: string) => refusalOf('models.yaml', text, loadModels);

describe('the file of models', () => {
  it('says who thinks, within which bounds, at which prices', () =>
    withFile('models.yaml', models(), async (path) => {
      expect(await loadModels(path)).toEqual({
        use: 'one',
        fallback: null,
        triesEach: 2,
        maxTokens: 4096,
        contextTokens: 60_000,
        callTimeoutMs: 120_000,
        stream: true,
        prices: { one: [{ from: '2026-01-01', input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 }] },
      });
    }));

  it('names no model without a price: its calls could not be reserved', async () => {
    expect(await refused(models('fallback: two\n'))).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: ['models.yaml:3:11  `fallback` must be one of `models`, with its price, not `two`.'],
    });
  });

  it.each([
    ['from: 2026-13', 'must be a day like `2026-10-07`'],
    ['from: today', 'must be a day like `2026-10-07`'],
  ])('takes no price "%s"', async (from, words) => {
    const { lines } = await refused(
      models('', `    - { ${from}, input: 2, output: 1, cacheWrite: 1, cacheRead: 1 }\n`),
    );
    expect(lines[0]).toContain(words);
  });

  it('has prices in the order of their days', async () => {
    const price = (day: string) => `    - { from: ${day}, input: 1, output: 1, cacheWrite: 1, cacheRead: 1 }\n`;
    const { lines } = await refused(models('', price('2026-02-01') + price('2026-01-01')));
    expect(lines[0]).toContain('must be sorted by `from`');
  });

  it('that is shipped has a price for today of every model that may think', async () => {
    const { use, fallback, prices } = await loadModels(join(packageRoot(), 'agents', 'models.yaml'));
    for (const model of [use, fallback ?? use]) expect(priceAt(prices, model, Date.now())).not.toBeNull();
  });
});

describe('a prompt file', () => {
  it('has a version, and is named as its file', async () => {
    const shipped = await loadPrompt(join(packageRoot(), 'agents', 'prompts', 'system.md'));
    expect(shipped).toMatchObject({ name: 'system', version: expect.any(Number) });
    expect(shipped.text).toMatch(/^You are the reasoner of Medic/);
    expect(await refusalOf('system.md', '---\nname: other\nversion: 1\n---\nText\n', loadPrompt)).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: ['system.md:2:7  `name` must be `system`, as the file is named.'],
    });
  });
});
