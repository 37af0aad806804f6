import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runCommandLine } from '../../src/cli/command-line.js';
import { decideVerb } from '../../src/cli/decide.js';
import { subjectOf, ticketWorkflowId } from '../../src/domain/ids.js';
import { openInstance } from '../../src/runtime/process/instance.js';
import { deskId, MESSAGES } from '../../workflows/contract.js';
import { paper } from '../src/cli/paper.js';
import { temporaryFolder } from '../src/runtime/process/temporary.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { type AllActivities, activityDoubles, noCounts, ticketInput, violation } from './ticket-double.js';
import { type Handle, inPhase, status } from './ticket-run.js';

const temporal = withTemporal();
/** Of all workers here: `tickets` asks every ticket and every desk. */
const QUEUE = 'verbs';
const withWorker = (activities: AllActivities, work: () => Promise<void>) =>
  temporal.withWorker(activities, work, { queue: QUEUE });

/** The home of an instance whose Temporal is that of the test. */
function homeHere(): string {
  const home = temporaryFolder();
  const { address } = temporal;
  const facts = { address, namespace: temporal.client.options.namespace, taskQueuePrefix: 'test' };
  openInstance({ home }).publish({ ...facts, ports: {}, processes: {} });
  return home;
}

/** Types a verb in a pipe. */
async function medic(home: string, ...argv: readonly string[]) {
  const { screen, out, err } = paper();
  const code = await runCommandLine([...argv, '--home', home], screen);
  return { code, out: out(), err: err() };
}

const plan = (home: string, name: string, step: object): string => {
  const file = join(home, name);
  writeFileSync(file, JSON.stringify({ steps: [step] }));
  return file;
};

it('the verbs of a person show the card, amend, take and give back', async () => {
  const home = homeHere();
  const input = ticketInput();
  const id = input.filing.id;
  const say = ['--by', 'ana', '--reason', 'rather so'];
  const activities = activityDoubles(noCounts(), { ruling: 'needs-approval' });
  const { judge } = activities;
  activities.judge = async (asked) => {
    const judged = await judge(asked);
    const ruling = { kind: 'forbidden', reason: 'tikv-2 is down', code: 'MEDIC_POLICY_QUORUM' } as const;
    return asked.drafts.some(({ target }) => target === 'tikv-3') ? { ...judged, ruling } : judged;
  };
  await withWorker(activities, async () => {
    const started = { workflowId: ticketWorkflowId(id), taskQueue: QUEUE, args: [input] };
    const ticket = (await temporal.client.workflow.start('ticket', started)) as Handle;
    await inPhase(ticket, 'awaiting-approval');
    const card = await medic(home, 'decide', id);
    expect(card.code).toBe(8);
    expect(card.out[1]).toBe('PROPOSAL #1  start the store tikv-2');
    expect(card.err).toContain(`./medic approve ${id} --reason TEXT --home ${home}`);

    const bad = plan(home, 'bad.json', {
      describe: 'stop',
      target: 'tikv-3',
      host: 'lab',
      command: 'labctl stop tikv-3',
    });
    expect(await medic(home, 'amend', id, '--file', bad, ...say)).toEqual({
      code: 5,
      out: [],
      err: [
        'MEDIC_POLICY_QUORUM  #2 forbidden MEDIC_POLICY_QUORUM: tikv-2 is down; #1 waits again',
        expect.stringContaining('Bring the impaired member back first'),
      ],
    });

    const lines = ['e 2', 't', 'mine'];
    const { screen, out } = paper({ columns: 80 });
    const dialogue = { ask: async () => lines.shift() ?? null };
    expect(await decideVerb(id, { home, by: 'ana' }, screen, dialogue)).toBe(0);
    expect(out().slice(-2)).toEqual(['seen', `${id} take sent`]);
    await inPhase(ticket, 'escalated');
    await until('who has it', async () => {
      const listed = await medic(home, 'tickets');
      return listed.out.some((line) => line.includes('ana, who took it')) || undefined;
    });
    expect(await medic(home, 'decide', id)).toMatchObject({
      code: 1,
      err: [expect.stringContaining('MEDIC_DECIDE_NOTHING_PENDING'), expect.any(String)],
    });
    expect((await medic(home, 'hint', id, 'yours again', '--by', 'ana')).code).toBe(0);

    await inPhase(ticket, 'awaiting-approval');
    const { pending } = await status(ticket);
    const good = plan(home, 'good.json', { action: 'resume-process', target: 'tikv-2' });
    const amended = await medic(home, 'amend', id, '--file', good, '--approve', ...say);
    const next = (pending?.proposal.number ?? 0) + 1;
    expect(amended).toEqual({
      code: 0,
      out: [`${id} #${next} needs-approval: the double says needs-approval`, `${id} #${next} approve: accepted`],
      err: [],
    });
    expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
  });
});

it('maintenance is begun, listed, remarked where tickets are listed, and ended', async () => {
  const home = homeHere();
  const subject = `${subjectOf(ticketInput().filing.id)}-kept`;
  const at = ['--subject', subject, '--by', 'ana'];
  const hour = ['--for', '1h', '--reason', 'kernel upgrade'];
  await withWorker(activityDoubles(noCounts()), async () => {
    const report = (seq: number, active: readonly object[]) =>
      temporal.client.workflow.signalWithStart('desk', {
        workflowId: deskId(subject),
        taskQueue: QUEUE,
        args: [{ subject, firstNumber: 1, recurrenceMs: 600_000 }],
        signal: MESSAGES.report,
        signalArgs: [{ subject, watch: 'w', seq, at: new Date().toISOString(), active, suspect: [], judged: [] }],
      });
    await report(1, []);
    expect(await medic(home, 'maintenance', '--target', 'tikv-9', ...hour, ...at)).toMatchObject({
      code: 1,
      err: [`MEDIC_MAINTENANCE_TARGET  ${subject} has no tikv-9; it has tikv-2, tikv-3`, expect.any(String)],
    });
    const begun = await medic(home, 'maintenance', '--target', 'tikv-2', ...hour, ...at);
    expect(begun).toMatchObject({ code: 0, out: [expect.stringMatching(`^${subject} m1 of tikv-2 until 20`)] });
    await report(2, [violation('store-up')]);
    // A server lists a workflow a moment after it is there.
    const shown = (words: string, ...verb: readonly string[]) =>
      until(
        words,
        async () => {
          const { out, err } = await medic(home, ...verb);
          return [...out, ...err].some((line) => line.includes(words)) || undefined;
        },
        { deadlineMs: 20_000 },
      );
    await shown(`\t${subject}\ttikv-2\t`, 'maintenance', 'list');
    await shown('\tana\tkernel upgrade\tstore-up tikv-2', 'maintenance', 'list');
    await shown(`${subject} maintenance m1 of tikv-2`, 'tickets');
    expect(await medic(home, 'maintenance', 'end', 'm7', ...at)).toMatchObject({
      code: 1,
      err: ['MEDIC_MAINTENANCE_UNKNOWN  no window m7 is open', expect.any(String)],
    });
    expect(await medic(home, 'maintenance', 'end', 'm1', ...at)).toMatchObject({
      code: 0,
      out: [`${subject} m1 is over; 1 still violated, to be filed`],
    });
    expect((await medic(home, 'maintenance', '--all', ...hour, '--subject', 'nobody')).err[0]).toBe(
      'MEDIC_SUBJECT_UNKNOWN  no subject nobody is watched here',
    );
  });
}, 30_000);
