/** Usage: sdk-download.mjs FOLDER VERSION. Makes the SDK fetch a CLI into FOLDER; the only way it offers is to start a server from it. */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
const executable = { type: 'cached-download', downloadDir, version };
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
