/** Bundles the compiled workflows into dist/workflow-bundle.js, so that a worker starts without a compiler. Run by setup after tsc. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const { code } = await bundleWorkflowCode({
  workflowsPath: join(dist, 'workflows', 'all.js'),
  logger: new DefaultLogger('WARN'),
});
writeFileSync(join(dist, 'workflow-bundle.js'), code);
