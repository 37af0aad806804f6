import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../src/config/agent.js';
import { loadPolicy } from '../../src/config/policy.js';
import { instant, type TicketId } from '../../src/domain/ids.js';
import { createArchive } from '../../src/evidence/archive.js';
import { createFileStore } from '../../src/evidence/file-store.js';
import { contentFiles } from '../../src/runtime/content.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { openInstance } from '../../src/runtime/process/instance.js';
import { rejudge } from '../../src/runtime/whatif/rejudge.js';
import type { Decision, TicketInput } from '../../workflows/contract.js';
import { MESSAGES } from '../../workflows/contract.js';
import { verbs } from '../src/cli/verbs.js';
import { temporaryFolder } from '../src/runtime/process/temporary.js';
import { dead, takenAt } from '../support/killed-record.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { archiving } from './archiving.js';
import { type AllActivities, activityDoubles, evidence, noCounts, ticketInput, violation } from './ticket-double.js';
import { type Handle, inPhase, withTicket } from './ticket-run.js';

/*
 * Two tickets that were not resolved, archived by a real server that is gone afterwards: one that waits for a person, one
 * that a person ended. Their pictures and rulings are real ones, so that another policy can be asked about them.
 */

const home = temporaryFolder();
const archive = createArchive({ home });
const store = createFileStore({ home });
const { policyFile } = contentFiles();
const STRICT = join(home, 'strict.yaml');
writeFileSync(STRICT, 'version: 1\nenvironment: lab\nautonomy: playbooks\npreApproved: []\n');

/** Archiving, the picture and the ruling are real; the reasoner wants tikv-0 started, and gives up when it is denied. */
function recorded(temporal: ReturnType<typeof withTemporal>, { times }: TicketInput): AllActivities {
  const doubles = activityDoubles(noCounts());
  let picture = { body: '', at: 0 };
  return {
    ...doubles,
    async lookAtPicture(input) {
      const at = Date.now();
      picture = { body: takenAt(dead(), at), at };
      const seen = await doubles.lookAtPicture(input);
      const stored = await store.put(picture.body);
      const shown = evidence(input.id, { at: instant(at), durationMs: 0, sha256: stored.sha256 });
      return { ...seen, evidence: shown, broken: [violation('store-reachable', 'tikv-0')] };
    },
    async think({ digest }) {
      const said = await doubles.think({ digest } as Parameters<AllActivities['think']>[0]);
      const step = digest.refusals.length > 0 ? ({ kind: 'escalate', why: 'denied' } as const) : said.nextStep;
      return JSON.parse(JSON.stringify({ ...said, nextStep: step }).replaceAll('tikv-2', 'tikv-0'));
    },
    async judge(input) {
      const [{ policy }, agent] = await Promise.all([loadPolicy(STRICT), loadAgent(contentFiles().agentFile)]);
      const runs = async () => ({ acts: [], missing: [] });
      const ask = { input, picture: picture.body, at: picture.at, times, recorded: null };
      const judged = await rejudge(ask, { policy, agent, runs });
      if (judged.kind !== 'judged') throw new Error(judged.why);
      return judged.judgement;
    },
    ...archiving({ home, history: (workflowId, run) => fetchHistoryText(temporal.client, workflowId, run) }),
  };
}

const typed = verbs(['backtest', 'bundle', 'replay', 'reset', 'show', 'tickets', 'trail', 'whatif']);

async function medic(...argv: string[]) {
  const { code, out, err } = await typed(...argv, '--home', home);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const ids: Record<'escalated' | 'aborted', TicketId | null> = { escalated: null, aborted: null };

describe('tickets that were not resolved, while there is a server', () => {
  const temporal = withTemporal();

  const withRecorded = async (work: (ticket: Handle) => Promise<void>): Promise<TicketId> => {
    const input = ticketInput();
    await withTicket(temporal, { activities: recorded(temporal, input), input }, work);
    return input.filing.id;
  };

  it('are archived when they are handed over', async () => {
    ids.escalated = await withRecorded(async (ticket) => {
      const { pending } = await inPhase(ticket, 'awaiting-approval');
      const { proposal, basisHash } = pending!;
      const denied: Decision = { proposal: proposal.id, basisHash, by: 'ana', note: 'not now', answer: 'deny' };
      await ticket.executeUpdate(MESSAGES.decide, { args: [denied] });
      await until('the archive', async () => (await archive.list())[0], { deadlineMs: 15_000 });
    });
    expect((await archive.load(ids.escalated))?.phase).toBe('escalated');
  });

  it('are archived when they are aborted', async () => {
    ids.aborted = await withRecorded(async (ticket) => {
      await inPhase(ticket, 'awaiting-approval');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong road' });
      await ticket.result();
    });
    expect((await archive.load(ids.aborted))?.phase).toBe('aborted');
  });

  it('are read from the archive while no worker answers for the one that is open, and that is said', async () => {
    const instance = openInstance({ home });
    const { address } = temporal;
    instance.publish({ address, namespace: 'default', taskQueuePrefix: 'gone', ports: {}, processes: {} });
    try {
      const [listed, shown] = await Promise.all([medic('tickets'), medic('show', ids.escalated ?? '')]);
      expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/^tikv\/1\tescalated\t[^\n]*as of [^\n]*$/) });
      expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/^tikv\/1 {2}escalated /) });
      for (const { err } of [listed, shown]) expect(err).toMatch(/^only the archive was read: .*worker/m);
    } finally {
      instance.close();
    }
  });
});

describe('when the server is gone', () => {
  it('the one that waits is listed as open, as it stood then, the other with the closed ones', async () => {
    const { out, err } = await medic('tickets');
    expect(out).toMatch(/^tikv\/1\tescalated\t[^\n]*\ta person, as of \d{4}-[^\n]*$/);
    expect(err).toContain('only the archive was read');
    expect((await medic('tickets', '--all')).out).toMatch(/^tikv\/1\tescalated\t.*\ntikv\/2\taborted\t.*\t-$/);
  });

  describe.each(['escalated', 'aborted'] as const)('a ticket that was %s', (phase) => {
    const id = () => ids[phase] ?? '';

    it('is shown and told', async () => {
      const shown = await medic('show', id());
      expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(new RegExp(`^${id()} {2}${phase} `))]);
      const told = await medic('trail', id());
      expect([told.code, told.out]).toEqual([0, expect.stringContaining(`${id()} filed`)]);
      expect((await medic('watch', id())).code).toBe(6);
      expect(told.out).toContain(phase === 'escalated' ? 'needed: denied' : 'aborted by ana');
    });

    it('is replayed', async () => {
      const { code, out, err } = await medic('replay', id());
      expect([code, err]).toEqual([0, expect.stringContaining(`replayed ${id()} (archive): `)]);
      expect(out).toContain('needs-approval: policy lab does not pre-approve start-store');
    });

    it('is exported, and imported, shown and replayed elsewhere', async () => {
      const [file, other] = [join(temporaryFolder(), 'one.gz'), temporaryFolder()];
      expect(await medic('export', id(), file)).toMatchObject({ code: 0, out: file });
      expect(await typed('import', file, '--home', other)).toMatchObject({ code: 0, out: [id()] });
      expect((await createArchive({ home: other }).load(id() as TicketId))?.phase).toBe(phase);
      expect((await medic('replay', file)).code).toBe(0);
    });

    it('goes its way again in a what-if that changes nothing', async () => {
      const { code, out, err } = await medic('whatif', id(), '--at', '2');
      expect(err).toContain('nothing was asked of it, and nothing was run');
      // A record of what still waits ends there.
      const ending = { escalated: [0, 'stops here: the record ends here'], aborted: [0, 'ends aborted'] }[phase];
      expect([code, out.split('\n').at(-1)]).toEqual(ending);
    });

    it('goes another way in one where it is approved', async () => {
      const { code, out } = await medic('whatif', id(), '--at', '2', '--approve');
      expect(code).toBe(3);
      const recordedAnswer = { escalated: 'deny by ana', aborted: 'nobody answered' }[phase];
      expect(out).toContain('parts in turn 2: the answer to #1');
      expect(out).toContain(`  recorded  ${recordedAnswer}`);
      expect(out).toMatch(/stops here: .*a look at what became of the subject after what was done: nothing recorded$/);
    });

    it('goes another way under another policy', async () => {
      const { code, out } = await medic('whatif', id(), '--at', '2', '--policy', policyFile);
      expect(code).toBe(3);
      expect(out).toContain('parts in turn 2: the ruling on #1');
      expect(out).toContain('  what if   pre-approved: policy lab pre-approves start-store');
    });

    it('cannot be reset, which is said', async () => {
      expect(await medic('reset', id(), '--turn', '2', '--hint', 'look again')).toMatchObject({
        code: 4,
        err: expect.stringMatching(/^MEDIC_INSTANCE_NOT_RUNNING {2}no Medic runs on /),
      });
    });
  });

  it('both are backtested', async () => {
    const { code, out, err } = await medic('backtest', '--policy', policyFile);
    expect([code, out.split('\n').map((row) => row.split('\t').slice(0, 5))]).toEqual([
      3,
      [ids.escalated, ids.aborted].map((id) => [id, '2', '#1', 'needs-approval', 'pre-approved']),
    ]);
    expect(err).toContain('2 decisions of 2 tickets: 2 would change');
    expect((await medic('backtest', '--policy', STRICT)).code).toBe(0);
  });
});
