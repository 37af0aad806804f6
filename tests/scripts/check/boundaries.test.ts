import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { checkBoundaries } from '../../../scripts/check/boundaries.mjs';
import { fixtureRoot, linkPackages } from '../fixture-root.js';

// A tool runs for real in every case, and the machine may be busy.
jest.setTimeout(120_000);

const type = (path: string) => `import type { Noun } from '${path}';\nexport type Mine = Noun;\n`;
const value = (path: string) => `import { noun } from '${path}';\nexport const mine = noun;\n`;
const from = (path: string, name: string) => `import { ${name} } from '${path}';\nexport const mine = ${name};\n`;

/** What may be imported: one file in every room. */
const NOUN = 'export interface Noun { readonly name: string }\nexport const noun = "noun";\n';
const NOUNS = {
  'package.json': JSON.stringify({ type: 'module', devDependencies: { 'fast-check': '4.11.0' } }),
  ...Object.fromEntries(
    [
      'src/domain/noun.ts',
      'src/policy/noun.ts',
      'src/runtime/noun.ts',
      'src/cli/noun.ts',
      'activities/noun.ts',
      'workflows/contract.ts',
      'workflows/ticket.ts',
      'subjects/tikv/lab/labd/client.ts',
      'subjects/tikv/lab/pd/noun.ts',
      'tests/noun.ts',
    ].map((path) => [path, NOUN]),
  ),
};

/** A file, its text, and the line that must be reported for it. */
const FORBIDDEN: readonly [title: string, file: string, text: string, line: string][] = [
  [
    'the domain imports policy, even a type',
    'src/domain/a.ts',
    type('../policy/noun.js'),
    'domain-stands-alone: src/domain/a.ts → src/policy/noun.ts',
  ],
  [
    'the domain imports a built-in of Node',
    'src/domain/b.ts',
    from('node:fs', 'readFileSync'),
    'domain-stands-alone: src/domain/b.ts → fs',
  ],
  ['policy imports zod', 'src/policy/a.ts', from('zod', 'z'), 'policy-on-domain: src/policy/a.ts → '],
  [
    'an invariant imports the lab',
    'subjects/tikv/invariants.ts',
    type('./lab/labd/client.js'),
    'pure-subject-files: subjects/tikv/invariants.ts → subjects/tikv/lab/labd/client.ts',
  ],
  [
    'a workflow imports policy',
    'workflows/a.ts',
    type('../src/policy/noun.js'),
    'workflows-are-sandboxed: workflows/a.ts → src/policy/noun.ts',
  ],
  [
    'a workflow imports activities, even a type',
    'workflows/b.ts',
    type('../activities/noun.js'),
    'workflows-are-sandboxed: workflows/b.ts → activities/noun.ts',
  ],
  [
    'a workflow imports a built-in of Node',
    'workflows/c.ts',
    from('node:crypto', 'createHash'),
    'workflows-are-sandboxed: workflows/c.ts → crypto',
  ],
  [
    'a workflow imports the client',
    'workflows/d.ts',
    from('@temporalio/client', 'Client'),
    'workflows-are-sandboxed: workflows/d.ts → ',
  ],
  [
    'a host imports activities',
    'src/host/a.ts',
    value('../../activities/noun.js'),
    'edges-below-activities: src/host/a.ts → activities/noun.ts',
  ],
  [
    'an activity imports the runtime',
    'activities/a.ts',
    value('../src/runtime/noun.js'),
    'activities-below-runtime: activities/a.ts → src/runtime/noun.ts',
  ],
  [
    'an activity imports more of a workflow than its contract',
    'activities/b.ts',
    type('../workflows/ticket.js'),
    'activities-know-only-the-contract: activities/b.ts → workflows/ticket.ts',
  ],
  [
    'the runtime imports a verb',
    'src/runtime/a.ts',
    value('../cli/noun.js'),
    'runtime-below-front: src/runtime/a.ts → src/cli/noun.ts',
  ],
  [
    'chaos imports a node of the lab',
    'chaos/tikv/a.ts',
    value('../../subjects/tikv/lab/pd/noun.js'),
    'lab-through-its-client: chaos/tikv/a.ts → subjects/tikv/lab/pd/noun.ts',
  ],
  [
    'the product imports a test',
    'src/host/b.ts',
    value('../../tests/noun.js'),
    'nothing-imports-tests: src/host/b.ts → tests/noun.ts',
  ],
  [
    'the product imports a development package',
    'src/host/c.ts',
    from('fast-check', 'property'),
    'no-development-package-in-the-product: src/host/c.ts → ',
  ],
  [
    'a file imports itself in a circle',
    'src/domain/c.ts',
    `${type('./c.js')}${NOUN}`,
    'no-circular: src/domain/c.ts → src/domain/c.ts',
  ],
  ['an import leads nowhere', 'src/host/d.ts', value('./nowhere.js'), 'resolvable: src/host/d.ts → '],
];

const ALLOWED: readonly [title: string, file: string, text: string][] = [
  ['a workflow imports the domain', 'workflows/e.ts', value('../src/domain/noun.js')],
  ['a workflow imports the SDK', 'workflows/f.ts', from('@temporalio/workflow', 'sleep')],
  ['an activity imports the contract', 'activities/c.ts', type('../workflows/contract.js')],
  ['policy imports the shell parser', 'src/policy/b.ts', from('unbash', 'parse')],
  ['chaos imports the client of the lab', 'chaos/tikv/b.ts', value('../../subjects/tikv/lab/labd/client.js')],
];

describe('the arrows between the rooms', () => {
  let lines: string[] = [];

  beforeAll(async () => {
    const files = [
      ...FORBIDDEN.map(([, file, text]) => [file, text]),
      ...ALLOWED.map(([, file, text]) => [file, text]),
    ];
    const { ok, output } = await check({ ...NOUNS, ...Object.fromEntries(files) });
    expect(ok).toBe(false);
    lines = output.split('\n');
  });

  it.each(FORBIDDEN)('are broken if %s', (_title, _file, _text, line) => {
    expect(lines).toContainEqual(expect.stringContaining(line));
  });

  it.each(ALLOWED)('hold if %s', (_title, file) => {
    expect(lines.filter((line) => line.includes(`: ${file} → `))).toEqual([]);
  });
});

describe('the check of the arrows', () => {
  it('passes a tree that follows them', async () => {
    expect(await check(NOUNS)).toEqual({ ok: true, output: '' });
  });

  it('does not call it good if nothing was there to analyse', async () => {
    const result = await check({ 'src/README.md': '' });
    expect(result).toEqual({ ok: false, output: 'no TypeScript files found: nothing was checked' });
  });

  it('names files that were not analysed', async () => {
    const settings = `module.exports = { options: { tsPreCompilationDeps: true, exclude: 'ticket' } };`;
    const result = await check(NOUNS, settings);
    expect(result).toEqual({ ok: false, output: 'workflows/ticket.ts: not analysed' });
  });
});

function check(files: Record<string, string>, settings?: string) {
  const root = fixtureRoot(settings ? { ...files, '.dependency-cruiser.cjs': settings } : files);
  linkPackages(root);
  if (!settings) cpSync('.dependency-cruiser.cjs', join(root, '.dependency-cruiser.cjs'));
  return checkBoundaries({ root });
}
