/** Bundles the compiled workflows into dist/workflow-bundle.js, so that a worker starts without a compiler. Run by setup after tsc. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const entry = join(dist, 'workflows', 'all.js');

if (existsSync(entry)) {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger: new DefaultLogger('WARN') });
  writeFileSync(join(dist, 'workflow-bundle.js'), code);
}
