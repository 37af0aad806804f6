import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Context, heartbeat } from '@temporalio/activity';
import { ticketWorkflowId } from '../../src/domain/ids.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { replay, workflowBundlePath } from '../../src/runtime/replay.js';
import { divergedHistories, refuseDiverged } from '../../src/runtime/worker/open-histories.js';
import { MESSAGES } from '../../workflows/contract.js';
import { temporaryFolder } from '../src/runtime/process/temporary.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { activityDoubles, noCounts, ticketInput } from './ticket-double.js';
import { type Handle, inPhase, status } from './ticket-run.js';

const temporal = withTemporal();

/** Where a ticket begins to wait for a person, in the bundle. */
const ASKS = /^ *run\.show\(`waiting for you: .*$/gm;
/** How a module of the bundle gets Temporal's SDK, whether or not it imports it. */
const SDK = /__webpack_require__\(\/\*! @temporalio\/workflow \*\/ "[^"]+"\)/;

/** The next version of the code: it does something more, with the SDK at hand, before it asks a person. */
function nextVersion(more: (sdk: string) => string): string {
  const bundle = readFileSync(workflowBundlePath(), 'utf8');
  expect(bundle.match(ASKS)).toHaveLength(1);
  const [sdk = ''] = SDK.exec(bundle) ?? [];
  expect(sdk).not.toBe('');
  const path = join(temporaryFolder(), 'workflow-bundle.js');
  writeFileSync(
    path,
    bundle.replace(ASKS, (line) => `${more(sdk)}\n${line}`),
  );
  return path;
}

describe('an upgrade while a ticket waits for a person', () => {
  it('is refused if its code would have decided otherwise, and goes on with the ticket if it is patched', async () => {
    const queue = 'upgraded';
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const input = ticketInput();
    const workflowId = ticketWorkflowId(input.filing.id);
    await temporal.withWorker(
      activities,
      async () => {
        const args = [input];
        const ticket = await temporal.client.workflow.start('ticket', { workflowId, taskQueue: queue, args });
        await inPhase(ticket as Handle, 'awaiting-approval');
        await until('a person is told', async () => counts.notices.includes('needs-you') || undefined);
      },
      { queue },
    );

    const unpatched = nextVersion((sdk) => `await ${sdk}.sleep(1);`);
    const patched = nextVersion((sdk) => `if (${sdk}.patched('asks-later')) await ${sdk}.sleep(1);`);
    const upgrade = (bundlePath: string) => ({ client: temporal.client, taskQueue: queue, bundlePath });
    const diverged = await until('the ticket in the list of open ones', async () => {
      const found = await divergedHistories(upgrade(unpatched));
      return found.length > 0 ? found : undefined;
    });
    expect(diverged).toEqual([{ workflowId, why: expect.stringContaining('TMPRL1100') }]);

    const stateDir = temporaryFolder();
    for (const again of ['once', 'twice']) {
      const refusal: unknown = await refuseDiverged({ ...upgrade(unpatched), stateDir }).catch((error) => error);
      expect([again, refusal]).toMatchObject([
        again,
        { code: 'MEDIC_REPLAY_DIVERGED', message: expect.stringContaining(`${workflowId}: [TMPRL1100]`) },
      ]);
    }
    await refuseDiverged({ ...upgrade(patched), stateDir });

    const ticket = temporal.client.workflow.getHandle(workflowId) as Handle;
    await temporal.withWorker(
      activities,
      async () => {
        const { pending } = await status(ticket);
        const decision = { proposal: pending!.proposal.id, basisHash: pending!.basisHash, by: 'ana', note: 'go' };
        await ticket.executeUpdate(MESSAGES.decide, { args: [{ ...decision, answer: 'approve' }] });
        expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      },
      { queue, bundlePath: patched },
    );
    expect(counts).toMatchObject({ acts: 1 });
  });

  it('keeps an abort of a version that ended running commands, although the present one lets them end', async () => {
    const bundle = readFileSync(workflowBundlePath(), 'utf8');
    const before = bundle.replace(/\(0,\s*\w+\.patched\)\('abort-lets-a-step-end'\)/g, 'false');
    expect(before).not.toBe(bundle);
    const bundlePath = join(temporaryFolder(), 'workflow-bundle.js');
    writeFileSync(bundlePath, before);
    const counts = noCounts();
    const activities = activityDoubles(counts);
    activities.act = async () => {
      counts.acts += 1;
      const timer = setInterval(() => heartbeat(), 100);
      return Context.current().cancelled.finally(() => clearInterval(timer));
    };
    const input = ticketInput();
    const workflowId = ticketWorkflowId(input.filing.id);
    await temporal.withWorker(
      activities,
      async (taskQueue) => {
        const ticket = await temporal.client.workflow.start('ticket', { workflowId, taskQueue, args: [input] });
        await until('the act', async () => counts.acts === 1 || undefined, { deadlineMs: 20_000 });
        await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong store' });
        expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      },
      { bundlePath },
    );
    const text = await fetchHistoryText(temporal.client, workflowId);
    const events: TrailEvent[] = [];
    await replay({ text, source: 'abort', workflowId, tell: (_ticket, event) => events.push(event) });
    expect(events.filter(({ type }) => type === 'acted')).toMatchObject([{ outcome: 'unknown' }]);
    expect(events.at(-2)).toMatchObject({ type: 'closed', phase: 'aborted' });
  });

  it('does not replay again what this code has already passed', async () => {
    const stateDir = temporaryFolder();
    const bundlePath = workflowBundlePath();
    await refuseDiverged({ client: temporal.client, taskQueue: 'idle', bundlePath, stateDir });
    const nobody = null as never;
    await refuseDiverged({ client: nobody, taskQueue: 'idle', bundlePath, stateDir });
  });
});
